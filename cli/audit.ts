import { z } from "zod";
import { listAudit } from "@/foundation/audit/queries.ts";
import { type AuditEntry, auditEntry, subjects } from "@/foundation/audit/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { addressesOf } from "./accounts.ts";
import { option } from "./args.ts";
import { command } from "./command.ts";
import { table, timeText } from "./output.ts";
import { countTo, numberOf, userWith } from "./values.ts";

const date = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), "a date, as 2026-11-21 or 2026-11-21T09:30:00Z")
  .transform((text) => Math.floor(Date.parse(text) / 1000));

const shownEntry = auditEntry.extend({ actor: z.string().nullable() });
type Shown = z.infer<typeof shownEntry>;

function shown(ctx: Ctx, entries: readonly AuditEntry[]): Shown[] {
  const names = addressesOf(
    ctx,
    entries.flatMap(({ actor_id }) => actor_id ?? []),
  );
  return entries.map((entry) => ({
    ...entry,
    actor: entry.actor_id === null ? null : (names.get(entry.actor_id) ?? String(entry.actor_id)),
  }));
}

export default [
  command({
    name: "audit",
    summary: "Show who changed what in the organization, newest first",
    examples: [
      "confab audit",
      "confab audit --by ada@example.com --since 2026-11-01",
      "confab audit --about channel --limit 10 --json",
    ],
    args: {
      limit: option("N", countTo(9999).default(50), "how many entries"),
      before: option("ID", numberOf("an entry's number").optional(), "only entries before this one"),
      by: option("EMAIL", z.string().optional(), "only changes by this user"),
      event: option("EVENT", z.string().optional(), "only this event, such as channel_renamed"),
      about: option("KIND", z.enum(subjects).optional(), subjects.join(", ")),
      since: option("DATE", date.optional(), "only entries after this date"),
    },
    result: z.array(shownEntry),
    run: (ctx, { limit, before, by, event, about, since }) => {
      const actorId = by === undefined ? undefined : userWith(ctx, by).user_id;
      const kind = about === undefined ? undefined : { kind: about };
      return shown(ctx, listAudit(ctx, { limit, before, actorId, event, about: kind, since }));
    },
    print: (entries) =>
      table(
        ["ID", "TIME (UTC)", "WHO", "WHAT", "ABOUT", "DETAIL"],
        entries.map((entry) => [
          String(entry.id),
          timeText(entry.at),
          entry.actor ?? "the system",
          entry.event,
          `${entry.about.kind}${entry.about.id === null ? "" : ` ${entry.about.id}`}`,
          Object.keys(entry.data).length === 0 ? "" : JSON.stringify(entry.data),
        ]),
      ),
  }),
];
