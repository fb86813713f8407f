// Shell completion, generated from the commands. Ours, because the script knows all answers: @bomb.sh/tab starts the program
// at every press of Tab to ask it, and is at version 0.0.
import { z } from "zod";
import { type Arg, isOperand, operand, optionName } from "./args.ts";
import { type Command, standalone } from "./command.ts";
import { pluralOf } from "./nouns.ts";

const shells = { bash, zsh, fish };
type Shell = keyof typeof shells;
const shell = z.enum(Object.keys(shells) as [Shell, ...Shell[]]);
const globals = ["--data", "--json", "--help"];

export default [
  standalone({
    name: "completion",
    isApart: true,
    summary: "Print a completion script for your shell",
    about:
      "Prints a script for your shell. bash and zsh: source it from your .bashrc or .zshrc. fish: save it as " +
      "~/.config/fish/completions/confab.fish.",
    examples: [
      "source <(confab completion bash)",
      "confab completion fish > ~/.config/fish/completions/confab.fish",
    ],
    args: { shell: operand("SHELL", shell, shell.options.join(", ")) },
    result: z.object({ script: z.string() }),
    async run({ show, allCommands }, { shell }) {
      await show(shells[shell](await allCommands()));
    },
    print: (script: string) => script,
    json: (script: string) => ({ script }),
  }),
];

interface Choosable {
  /** The option as typed, such as `--role`; empty for operands. */
  option: string;
  choices: string[];
}

/** The arguments of a command, with the choices of those that take one of a few values. */
function choosable({ args }: Command): Choosable[] {
  return Object.entries(args).map(([key, row]) => ({
    option: isOperand(row) ? "" : optionName(key),
    choices: choicesOf(row),
  }));
}

function choicesOf({ rule }: Arg): string[] {
  const { enum: choices = [] } = z.toJSONSchema(rule, { io: "input", unrepresentable: "any" });
  return choices.map(String);
}

function optionsOf(command: Command): string[] {
  const own = choosable(command).flatMap(({ option }) => (option === "" ? [] : [option]));
  return [...own, ...globals, ...(command.acts ? ["--as"] : [])];
}

function operandsOf(command: Command): string[] {
  return choosable(command).flatMap(({ option, choices }) => (option === "" ? choices : []));
}

/** Verbs by noun. One-word commands have none. */
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
  const offered = ({ name }: Command, after: string, words: readonly string[]) =>
    `    "${name}${after}"|"${name} "*"${after}") words="${words.join(" ")}" ;;`;
  const cases = [
    `    "") words="${[...nouns.keys()].join(" ")}" ;;`,
    ...[...nouns]
      .filter(([, verbs]) => verbs.length > 0)
      .map(([noun, verbs]) => `    "${noun}") words="${verbs.join(" ")}" ;;`),
    ...commands.map((one) => offered(one, "", [...operandsOf(one), ...optionsOf(one)])),
  ];
  const values = commands.flatMap((one) =>
    choosable(one)
      .filter(({ option, choices }) => option !== "" && choices.length > 0)
      .map(({ option, choices }) => offered(one, ` ${option}`, choices)),
  );
  const plurals = [...nouns.keys()]
    .filter((noun) => pluralOf(noun) !== noun)
    .map((noun) => `      ${pluralOf(noun)}) part=${noun} ;;`);
  return `# bash completion for confab
_confab() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="" command="" part valued=""
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $valued ]]; then valued=""; continue; fi
    case "$part" in
      --data|--as) valued="$part"; continue ;;
      -*) continue ;;
    esac
    [[ $command ]] || case "$part" in
      help) continue ;;
${plurals.join("\n")}
    esac
    command="\${command:+$command }$part"
  done
  if [[ $valued ]]; then
    [[ $valued == --as ]] || COMPREPLY=($(compgen -d -- "$word"))
    return
  fi
  case "$command" in
${cases.join("\n")}
  esac
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _confab confab`;
}

function zsh(commands: readonly Command[]): string {
  // zsh can run bash completion functions.
  return `#compdef confab\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;
}

function fish(commands: readonly Command[]): string {
  const nouns = verbsByNoun(commands);
  const lines = ["# fish completion for confab", "complete -c confab -f"];
  for (const [noun, verbs] of nouns) {
    const about = commands.find(({ name }) => name === noun)?.summary ?? `${verbs.length} commands`;
    lines.push(`complete -c confab -n __fish_use_subcommand -a ${noun} -d ${quoted(about)}`);
  }
  for (const one of commands) lines.push(...fishLines(one, nouns));
  return lines.join("\n");
}

function fishLines(one: Command, nouns: ReadonlyMap<string, string[]>): string[] {
  const [noun = "", verb] = one.name.split(" ");
  const seen = `__fish_seen_subcommand_from ${noun}`;
  const after = quoted(verb === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${verb}`);
  const before = `${seen}; and not __fish_seen_subcommand_from ${nouns.get(noun)?.join(" ")}`;
  const values = new Map(choosable(one).map(({ option, choices }) => [option, choices]));
  const taking = (option: string) => {
    const choices = values.get(option) ?? [];
    return choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : "";
  };
  const operands = operandsOf(one);
  return [
    ...(verb === undefined
      ? []
      : [`complete -c confab -n ${quoted(before)} -a ${verb} -d ${quoted(one.summary)}`]),
    ...optionsOf(one).map(
      (option) => `complete -c confab -n ${after} -l ${option.slice(2)}${taking(option)}`,
    ),
    ...(operands.length > 0 ? [`complete -c confab -n ${after} -a ${quoted(operands.join(" "))}`] : []),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
