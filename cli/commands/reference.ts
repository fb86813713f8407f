// The page that describes all commands, generated from the commands.
import { z } from "zod";
import { shapeText } from "@/kernel/http/shape-text.ts";
import { type Arg, description, isNeeded, isOperand, operand, optionName } from "../args.ts";
import { type Command, standalone } from "../command.ts";
import { httpPage } from "./reference-http.ts";

const page = z.enum(["commands", "http", "metrics", "senders"]).default("commands");

export default [
  standalone({
    name: "reference",
    isApart: true,
    summary:
      "Print the description of every command, of the HTTP API, of the metrics or of senders of webhooks, in Markdown",
    about:
      "Prints what --help says of each command, and what each prints with --json, as one page of Markdown; with 'http' what each endpoint and event of the HTTP API promises; with 'metrics' what each metric is, and when alerts fire; with 'senders' the tools whose events bots can post.",
    examples: ["confab reference > command-line.md", "confab reference http > http-api.md"],
    args: { page: operand("PAGE", page, "commands, http, metrics or senders") },
    result: z.object({ markdown: z.string() }),
    async run({ show, allCommands }, { page }) {
      if (page === "metrics") await show((await import("@/operations/metrics/host.ts")).monitoringPage());
      else if (page === "senders")
        await show((await import("@/outside/incoming-webhooks/host.ts")).sendersPage());
      else await show(page === "http" ? httpPage() : pageOf(await allCommands()));
    },
    json: (markdown) => ({ markdown }),
    print: (markdown: string) => markdown,
  }),
];

const opening = `# Command line

This page is generated from the commands: \`confab reference\` prints it. Do not edit it; \`npm run generate\` writes it into docs/reference.

What each command of \`confab\` does, takes and prints. \`confab COMMAND --help\` prints a part of it.

Every command takes \`--data DIR\`, the data folder (default: \`./confab-data\`; or \`CONFAB_DATA\`), and \`--json\`, which prints one JSON document on one line, in the shape that is shown below for each command. Commands that act as a user take \`--as EMAIL\` (default: the first active owner) and may do what that user may. All work the same beside a running server and without one.

Commands also run against a remote server, with the same output, except those marked "Only on the machine of the server", which refuse. \`--profile NAME\` uses a server and an account that \`confab profile add\` has saved; \`--server URL --as EMAIL\` uses such a profile too, or the API key in \`--key-file FILE\`, or asks for the key. Without any of these, and without \`--data\` and \`CONFAB_DATA\`, every command is for the current profile, if there is one, even where there is a \`./confab-data\`. A noun may be given in the plural: \`confab users list\`.

Exit statuses: 0: done; 1: failed, and standard error says why; 2: wrong usage, or not confirmed. What deletes or ends something says first how much, and asks; it needs \`--yes\` in a script.`;

function pageOf(commands: readonly Command[]): string {
  const contents = commands.map(
    ({ name, summary }) => `- [${name}](#${name.replaceAll(" ", "-")}): ${escapeMarkdown(summary)}`,
  );
  return [opening, contents.join("\n"), ...commands.map(section)].join("\n\n");
}

function section(command: Command): string {
  const { name, summary, about = `${summary}.`, args, examples, result } = command;
  const rows = Object.entries(args);
  const places = rows.filter(([, row]) => isOperand(row)).map(([, row]) => placeOf(row));
  const more = places.length < rows.length ? ["[options]"] : [];
  return [
    `## ${name}`,
    escapeMarkdown(about) +
      (command.runsRemotely || command.isApart ? "" : " Only on the machine of the server."),
    fenceCode("text", ["confab", name, ...places, ...more].join(" ")),
    ...(rows.length > 0 ? [rows.map(([key, row]) => itemOf(key, row)).join("\n")] : []),
    fenceCode("sh", examples.join("\n")),
    ...(result ? ["With `--json`:", fenceCode("ts", shapeText(result))] : []),
  ].join("\n\n");
}

function placeOf(row: Arg): string {
  const name = row.kind === "operands" ? `${row.placeholder}...` : row.placeholder;
  return isNeeded(row) ? `<${name}>` : `[${name}]`;
}

function itemOf(key: string, row: Arg): string {
  const value = row.kind === "options" ? ` <${row.placeholder}...>` : ` <${row.placeholder}>`;
  const option = row.kind === "flag" ? optionName(key) : optionName(key) + value;
  return `- \`${isOperand(row) ? placeOf(row) : option}\`: ${escapeMarkdown(description(row))}`;
}

/** Escapes Markdown's special characters. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[<*_]/g, "\\$&");
}

function fenceCode(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
