import { z } from "zod";
import { listAudit } from "@/foundation/audit/queries.ts";
import {
  type AuditEntry,
  type AuditFilter,
  aboutText,
  auditEntry,
  concernOf,
  detailText,
  fromTime,
  type Subject,
  subjects,
  untilTime,
} from "@/foundation/audit/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { addressesOf } from "../accounts.ts";
import { option } from "../args.ts";
import { command } from "../command.ts";
import { table, timeText } from "../output.ts";
import { countTo, numberOf, userWith } from "../values.ts";

const shownEntry = auditEntry.extend({ actor: z.string().nullable() });
type Shown = z.infer<typeof shownEntry>;

function presentEntries(ctx: Ctx, entries: readonly AuditEntry[]): Shown[] {
  const names = addressesOf(
    ctx,
    entries.flatMap(({ actor_id }) => actor_id ?? []),
  );
  return entries.map((entry) => ({
    ...entry,
    actor: entry.actor_id === null ? null : (names.get(entry.actor_id) ?? String(entry.actor_id)),
  }));
}

type Filter = Pick<AuditFilter, "personId" | "about" | "aboutName">;

function concerning(ctx: Ctx, about: string | undefined, kind: Subject | undefined): Filter {
  // In earlier versions, this option named a kind.
  const earlier = kind === undefined ? subjects.find((one) => one === about) : undefined;
  if (earlier) return { about: { kind: earlier } };
  return { about: { kind }, ...concernOf(about, (email) => userWith(ctx, email).user_id) };
}

export default [
  command({
    name: "audit",
    isUnaudited: true,
    summary: "Show who did what to the organization and to other people's things, newest first",
    examples: [
      "confab audit",
      "confab audit --by ada@example.com --since 2026-11-01",
      "confab audit --about mel@example.com --since 2026-11-01 --until 2026-11-08",
      "confab audit --about Office",
      "confab audit --kind channel --limit 10 --json",
    ],
    args: {
      limit: option("N", countTo(9999).default(50), "how many entries"),
      before: option("ID", numberOf("an entry's number").optional(), "only entries before this one"),
      by: option("EMAIL", z.string().optional(), "only what this user did"),
      event: option("EVENT", z.string().optional(), "only this event, such as channel_renamed"),
      about: option(
        "NAME",
        z.string().optional(),
        "only what concerns this: a person's address, or the name of a channel, a group or another thing",
      ),
      kind: option("KIND", z.enum(subjects).optional(), subjects.join(", ")),
      since: option("DATE", fromTime.optional(), "only entries from this date on"),
      until: option("DATE", untilTime.optional(), "only entries until this date"),
    },
    result: z.array(shownEntry),
    run: (ctx, { by, about, kind, ...filter }) => {
      const actorId = by === undefined ? undefined : userWith(ctx, by).user_id;
      return presentEntries(ctx, listAudit(ctx, { ...filter, actorId, ...concerning(ctx, about, kind) }));
    },
    print: (entries) =>
      table(
        ["ID", "TIME (UTC)", "WHO", "WHAT", "ABOUT", "DETAIL"],
        entries.map((entry) => [
          String(entry.id),
          timeText(entry.at),
          entry.actor ?? "the system",
          entry.event,
          aboutText(entry),
          detailText(entry),
        ]),
      ),
  }),
];
