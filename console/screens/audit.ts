import { listAudit } from "@/foundation/audit/queries.ts";
import type { AuditEntry } from "@/foundation/audit/schema.ts";
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

function detailText({ data }: Row): string {
  return Object.keys(data).length === 0 ? "" : JSON.stringify(data);
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
    { title: "WHO", value: ({ actor }) => actor },
    { title: "WHAT", value: ({ event }) => spoken(event), tone: () => "accent" },
    { title: "ABOUT", value: aboutText },
    { title: "DETAIL", value: detailText, grow: true, tone: () => "dim" },
  ],
  facts: (_, entry) => [
    ["When", timeText(entry.at)],
    ["Who", entry.actor],
    ["By", entry.client],
    ["What", entry.event],
    ["About", aboutText(entry)],
  ],
  text: (_, { data }) => (Object.keys(data).length === 0 ? "" : JSON.stringify(data, null, 2)),
});
