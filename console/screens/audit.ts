import { listAudit } from "@/foundation/audit/queries.ts";
import type { AuditEntry } from "@/foundation/audit/schema.ts";
import { textOf } from "../desk/rules.ts";
import { timeText } from "../layout.ts";
import { spoken, userNames } from "../names.ts";
import { screen } from "../screen.ts";
import type { Session } from "../session.ts";

interface Row extends AuditEntry {
  actor: string;
}

const maxRows = 1000;

function rows({ ctx }: Session): Row[] {
  const now = ctx();
  const nameOf = userNames(now);
  return listAudit(now, { limit: maxRows }).map((entry) => ({
    ...entry,
    actor: entry.actor_id === null ? "the system" : nameOf(entry.actor_id),
  }));
}

function aboutText({ about: { kind, id } }: Row): string {
  return id === null ? kind : `${kind} ${id}`;
}

/** What was changed, as "name: Office, is_private: yes". */
function detailText({ data }: Row): string {
  return Object.entries(data)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${textOf(value)}`)
    .join(", ");
}

export const audit = screen<Row>({
  key: "A",
  title: "Audit log",
  area: "Server",
  about: "who changed what, newest first",
  empty: "Nothing has been changed yet.",
  follows: true,
  rows,
  id: ({ id }) => id,
  copies: ({ data }) => JSON.stringify(data),
  columns: [
    { title: "TIME (UTC)", whole: true, value: ({ at }) => timeText(at) },
    { title: "WHO", value: ({ actor }) => actor, most: 18 },
    { title: "WHAT", value: ({ event }) => spoken(event), tone: () => "accent", whole: true },
    { title: "ABOUT", value: aboutText },
    { title: "DETAIL", value: detailText, grow: true, tone: () => "dim" },
  ],
  facts: (_, entry) => [
    ["When", timeText(entry.at)],
    ["Who", entry.actor],
    ["By", entry.client],
    ["What", spoken(entry.event)],
    ["About", aboutText(entry)],
  ],
  text: (_, { data }) =>
    Object.entries(data)
      .map(([name, value]) => `${name}: ${textOf(value)}`)
      .join("\n"),
});
