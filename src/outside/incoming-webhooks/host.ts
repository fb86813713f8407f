// The page that describes the senders of incoming webhooks, generated from their descriptions.
import type { WebhookSender } from "./sender.ts";
import { senders } from "./senders.ts";

const opening = `# Senders of incoming webhooks

This page is generated from the senders: \`confab reference senders\` prints it. Do not edit it; \`npm run generate\` writes it into docs/reference.

The tools whose events bots can post ([how to set one up](../incoming-webhooks.md)): where the address is entered there, what else, and which events become messages. \`ADDRESS\` stands for the address \`https://chat.example.com/api/v1/external/NAME?api_key=KEY&stream=CHANNEL\`.`;

const byTitle = () => senders.toSorted((a, b) => a.title.localeCompare(b.title, "en"));

export function sendersPage(): string {
  const rows = byTitle().map(
    ({ name, title, isSigned }) => `| [${title}](#${name}) | \`${name}\` | ${isSigned ? "yes" : "no"} |`,
  );
  const table = ["| tool | name | signs |", "|---|---|---|", ...rows].join("\n");
  return [opening, table, ...byTitle().map(section)].join("\n\n");
}

function section({ name, title, setup, events, quiet }: WebhookSender): string {
  const told = Object.keys(events).filter((event) => event !== "*");
  const list = (all: readonly string[]) => all.map((event) => `\`${event}\``).join(", ");
  return [
    `## ${name}`,
    `**${title}**: ${setup.where}. The address goes into “${setup.field}”.`,
    ...(setup.paste === undefined ? [] : [`\`\`\`\`text\n${setup.paste}\n\`\`\`\``]),
    `Events: ${list(told)}.${Object.hasOwn(events, "*") ? " All others are left out; if `only_events` names them, they get a plain sentence." : ""}`,
    ...(quiet.length === 0 ? [] : [`Left out unless \`only_events\` names them: ${list(quiet)}.`]),
  ].join("\n\n");
}
