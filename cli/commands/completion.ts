// Shell completion, generated from the commands. Ours, because the script knows all answers: @bomb.sh/tab starts the program
// at every press of Tab to ask it, and is at version 0.0.
import { z } from "zod";
import { apiModel } from "@/api-model.ts";
import { type Arg, isOperand, operand, optionName } from "../args.ts";
import { type Command, standalone } from "../command.ts";
import { pluralOf } from "../nouns.ts";

const shells = { bash, zsh, fish };
type Shell = keyof typeof shells;
const shell = z.enum(Object.keys(shells) as [Shell, ...Shell[]]);
const prefix = "/api/v1";
const globals = ["--data", "--json", "--help"];
const remoteOptions = ["--server", "--profile"];

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
      const commands = (await allCommands()).map((one) => (one.name === "api" ? withPaths(one) : one));
      await show(shells[shell](commands));
    },
    print: (script: string) => script,
    json: (script: string) => ({ script }),
  }),
];

/** `api` with the addresses that it can call, each up to its first parameter. */
function withPaths(api: Command): Command {
  const all = apiModel().domains.flatMap(({ endpoints }) => endpoints.map(({ path }) => path));
  const below = all.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const choices = [...new Set(below.map((path) => path.replace(/\{.*/, "")))].sort();
  const { path } = api.args;
  return path ? { ...api, args: { ...api.args, path: { ...path, choices } } } : api;
}

/** What a position of a command line takes. */
interface Choosable {
  /** The option as typed, such as `--role`; empty for operands. */
  option: string;
  /** For an operand, how many operands come before it. */
  place: number;
  /** Whether it also applies to all operands that follow. */
  isLast: boolean;
  takesValue: boolean;
  choices: string[];
  /** What 'confab suggest' lists for it. */
  kind: string | null;
}

const kindsOf: Record<string, string> = {
  EMAIL: "people",
  CHANNEL: "channels",
  GROUP: "groups",
  WHO: "groups",
  WHERE: "channels",
};

function kindOf({ name }: Command, row: Arg): string | null {
  // These name new things, or groups of another sort.
  if (/ (create|add|import|test)$|^(default|invite|profile) /.test(name) && row.placeholder !== "CHANNEL")
    return null;
  if (row.placeholder === "EMAIL" && name.startsWith("bot ") && isOperand(row)) return "bots";
  return kindsOf[row.placeholder] ?? null;
}

function choosable(command: Command): Choosable[] {
  let operands = 0;
  return Object.entries(command.args).map(([key, row]) => ({
    option: isOperand(row) ? "" : optionName(key),
    place: isOperand(row) ? operands++ : 0,
    isLast: row.kind === "operands",
    takesValue: row.kind === "option" || row.kind === "options",
    choices: choicesOf(row),
    kind: kindOf(command, row),
  }));
}

function choicesOf({ rule, choices }: Arg): string[] {
  if (choices) return [...choices];
  const { enum: found = [] } = z.toJSONSchema(rule, { io: "input", unrepresentable: "any" });
  return found.map(String);
}

function optionsOf(command: Command): string[] {
  const own = choosable(command).flatMap(({ option }) => (option === "" ? [] : [option]));
  const { acts, runsRemotely } = command;
  const servers = runsRemotely ? [...remoteOptions, ...(acts ? ["--key-file"] : [])] : [];
  return [...own, ...globals, ...(acts ? ["--as"] : []), ...servers];
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
  const cases = [
    `    "":*) words="${[...nouns.keys()].join(" ")}" ;;`,
    ...[...nouns]
      .filter(([, verbs]) => verbs.length > 0)
      .map(([noun, verbs]) => {
        const itself = commands.find(({ name }) => name === noun);
        const words = [...verbs, ...(itself ? optionsOf(itself) : [])];
        return `    "${noun}":${itself ? "0" : "*"}) words="${words.join(" ")}" ;;`;
      }),
    ...commands.flatMap(operandCases),
  ];
  const values = commands.flatMap((one) =>
    choosable(one)
      .filter(({ option, choices, kind }) => option !== "" && (choices.length > 0 || kind !== null))
      .map((row) => `    "${one.name} ${row.option}") ${offering(row)} ;;`),
  );
  const plurals = [...nouns.keys()]
    .filter((noun) => pluralOf(noun) !== noun)
    .map((noun) => `      ${pluralOf(noun)}) part=${noun} ;;`);
  const valued = new Set(
    commands.flatMap((one) =>
      choosable(one).flatMap(({ option, takesValue }) => (takesValue ? [option] : [])),
    ),
  );
  const whole = commands.map(({ name }) => `"${name}"`).join("|");
  const below = commands
    .filter(({ name }) => commands.some((other) => name.startsWith(`${other.name} `)))
    .map(({ name }) => `"${name}:0"`)
    .join("|");
  return `# bash completion for confab
_confab() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="" kind="" command="" part valued="" operands=0 line at
  local -a scope=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    part="\${COMP_WORDS[$at]}"
    if [[ $valued ]]; then
      case "$valued" in --data|--as|--server|--profile|--key-file) scope+=("$valued" "$part") ;; esac
      valued=""
      continue
    fi
    case "$part" in
      --data|--as|--server|--profile|--key-file|${[...valued].join("|")}) valued="$part"; continue ;;
      -*) continue ;;
    esac
    [[ $command ]] || case "$part" in
      help) continue ;;
${plurals.join("\n")}
    esac
    case "$command $part:$operands" in
      ${below}) command="$command $part"; continue ;;
    esac
    case "$command" in
      ${whole}) operands=$((operands + 1)) ;;
      *) command="\${command:+$command }$part" ;;
    esac
  done
  case "$valued" in
    --data) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --key-file) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --server|--profile) return ;;
    --as) kind=people ;;
    "") case "$command:$operands" in
${cases.join("\n")}
    esac ;;
    *) case "$command $valued" in
${values.join("\n")}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ $kind && $word != -* ]]; then
    line="\${word//\\\\/}"
    while IFS= read -r line; do
      # bash closes a quotation itself; zsh takes words as they are typed without one.
      [[ $line && $word == [\\"\\']* && -z $ZSH_VERSION ]] && COMPREPLY+=("$line") && continue
      [[ $line ]] && COMPREPLY+=("$(printf %q "$line")")
    done <<< "$(confab suggest "$kind" "\${line#[\\"\\']}" "\${scope[@]}" 2>/dev/null)"
  fi
  [[ $command == api || $kind || \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _confab confab`;
}

/** What each operand of a command offers, apart from its options. */
function operandCases(command: Command): string[] {
  const options = optionsOf(command);
  const rows = choosable(command)
    .filter(({ option, choices, kind }) => option === "" && (choices.length > 0 || kind !== null))
    .map((row) => `    "${command.name}":${row.isLast ? "*" : row.place}) ${offering(row, options)} ;;`);
  return [...rows, `    "${command.name}":*) words="${options.join(" ")}" ;;`];
}

function offering({ choices, kind }: Choosable, more: readonly string[] = []): string {
  const words = `words="${[...choices, ...more].join(" ")}"`;
  return kind === null ? words : `${words} kind=${kind}`;
}

function zsh(commands: readonly Command[]): string {
  // zsh can run bash completion functions, once its own completion is on.
  return `#compdef confab
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;
}

/** Names from the data, as far as they are typed: without quotation marks, of the server or folder that the line names. */
const fishNames = `# fish completion for confab
function __confab_names
  set -l scope
  set -l before ''
  for word in (commandline -opc)
    contains -- $before --data --as --server --profile --key-file; and set -a scope $before $word
    set before $word
  end
  confab suggest $argv[1] (commandline -ct | string trim -lc \\'\\" | string replace -a \\\\ '') $scope 2>/dev/null
end`;

function fish(commands: readonly Command[]): string {
  const nouns = verbsByNoun(commands);
  const lines = [fishNames, "complete -c confab -f"];
  for (const [noun, verbs] of nouns) {
    const about = commands.find(({ name }) => name === noun)?.summary ?? `${verbs.length} commands`;
    lines.push(`complete -c confab -n __fish_use_subcommand -a ${noun} -d ${quoteWord(about)}`);
  }
  for (const one of commands) lines.push(...fishLines(one, nouns));
  return lines.join("\n");
}

function fishLines(one: Command, nouns: ReadonlyMap<string, string[]>): string[] {
  const [noun = "", verb] = one.name.split(" ");
  const seen = `__fish_seen_subcommand_from ${noun}`;
  const after = quoteWord(verb === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${verb}`);
  const before = `${seen}; and not __fish_seen_subcommand_from ${nouns.get(noun)?.join(" ")}`;
  const rows = choosable(one);
  const formatChoices = ({ choices, kind }: Choosable) =>
    quoteWord([...choices, ...(kind === null ? [] : [`(__confab_names ${kind})`])].join(" "));
  const taking = (option: string) => {
    if (option === "--as") return ` -x -a ${quoteWord("(__confab_names people)")}`;
    const row = rows.find((other) => other.option === option);
    if (!row?.takesValue) return "";
    return row.choices.length > 0 || row.kind !== null ? ` -x -a ${formatChoices(row)}` : " -r";
  };
  const operands = rows.filter(
    ({ option, choices, kind }) => option === "" && (choices.length > 0 || kind !== null),
  );
  return [
    ...(verb === undefined
      ? []
      : [`complete -c confab -n ${quoteWord(before)} -a ${verb} -d ${quoteWord(one.summary)}`]),
    ...optionsOf(one).map(
      (option) => `complete -c confab -n ${after} -l ${option.slice(2)}${taking(option)}`,
    ),
    ...operands.map((row) => `complete -c confab -n ${after} -a ${formatChoices(row)}`),
  ];
}

function quoteWord(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
