// Completion for shells, from the same tables that parse the commands.
import { z } from "zod";
import { isOperand, operand, optionName } from "./args.ts";
import { type Command, standalone } from "./command.ts";
import { allCommands } from "./nouns.ts";

const shells = { bash, zsh, fish };
type Shell = keyof typeof shells;
const shell = z.enum(Object.keys(shells) as [Shell, ...Shell[]]);
const globals = ["--data", "--json", "--as", "--help"];

export default [
  standalone({
    name: "completion",
    summary: "Print what makes a shell complete these commands",
    about:
      "Prints a script for your shell. bash and zsh: source it from your .bashrc or .zshrc. fish: save it as " +
      "~/.config/fish/completions/confab.fish.",
    examples: [
      "source <(confab completion bash)",
      "confab completion fish > ~/.config/fish/completions/confab.fish",
    ],
    args: { shell: operand("SHELL", shell, shell.options.join(", ")) },
    async run({ show }, { shell }) {
      await show(shells[shell](await allCommands()));
    },
    print: (script: string) => script,
    json: (script: string) => ({ script }),
  }),
];

const optionsOf = ({ args }: Command) => [
  ...Object.entries(args)
    .filter(([, row]) => !isOperand(row))
    .map(([key]) => optionName(key)),
  ...globals,
];

/** Verbs by noun; a command of one word has none. */
function verbsByNoun(commands: readonly Command[]): Map<string, string[]> {
  const nouns = new Map<string, string[]>();
  for (const { name } of commands) {
    const [noun = "", verb] = name.split(" ");
    nouns.set(noun, [...(nouns.get(noun) ?? []), ...(verb === undefined ? [] : [verb])]);
  }
  return nouns;
}

function bash(commands: readonly Command[]): string {
  const nouns = verbsByNoun(commands);
  const verbs = [...nouns].filter(([, list]) => list.length > 0);
  return `# bash completion for confab
_confab() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="" command="" part
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $part == -* ]] || command="\${command:+$command }$part"
  done
  case "$command" in
    "") words="${[...nouns.keys()].join(" ")}" ;;
${verbs.map(([noun, list]) => `    "${noun}") words="${list.join(" ")}" ;;`).join("\n")}
${commands.map((one) => `    "${one.name}"|"${one.name} "*) words="${optionsOf(one).join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _confab confab`;
}

function zsh(commands: readonly Command[]): string {
  // zsh reads completion functions of bash.
  return `#compdef confab\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;
}

function fish(commands: readonly Command[]): string {
  const nouns = [...verbsByNoun(commands)];
  const lines = ["# fish completion for confab", "complete -c confab -f"];
  for (const [noun, verbs] of nouns) {
    const about = commands.find(({ name }) => name === noun)?.summary ?? `${verbs.length} commands`;
    lines.push(`complete -c confab -n __fish_use_subcommand -a ${noun} -d ${quoted(about)}`);
  }
  for (const one of commands) {
    const [noun = "", verb] = one.name.split(" ");
    const seen = `__fish_seen_subcommand_from ${noun}`;
    if (verb !== undefined) {
      const verbs = verbsByNoun(commands).get(noun) ?? [];
      const before = `${seen}; and not __fish_seen_subcommand_from ${verbs.join(" ")}`;
      lines.push(`complete -c confab -n ${quoted(before)} -a ${verb} -d ${quoted(one.summary)}`);
    }
    const after = verb === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${verb}`;
    for (const option of optionsOf(one)) {
      lines.push(`complete -c confab -n ${quoted(after)} -l ${option.slice(2)}`);
    }
  }
  return lines.join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\\\", "\\\\\\\\").replaceAll("'", "\\\\'")}'`;
}
