import { z } from "zod";
import { listAudit } from "@/audit/queries.ts";
import { type AuditEntry, subjects } from "@/audit/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { getUserByEmail, listUsers } from "@/users/queries.ts";
import { option } from "./args.ts";
import { command } from "./command.ts";
import { table } from "./output.ts";

const count = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, "a number from 1 to 9999")
  .transform(Number);
const date = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), "a date, as 2026-11-21 or 2026-11-21T09:30:00Z")
  .transform((text) => Math.floor(Date.parse(text) / 1000));

type Shown = AuditEntry & { actor: string | null };

function shown(ctx: Ctx, entries: readonly AuditEntry[]): Shown[] {
  const ids = [...new Set(entries.flatMap(({ actor_id }) => actor_id ?? []))];
  const names = new Map(
    listUsers(ctx, { user_ids: ids }).map((user) => [user.user_id, user.delivery_email ?? user.email]),
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
      limit: option("N", count.default(50), "how many entries"),
      before: option("ID", count.optional(), "only entries before this one"),
      by: option("EMAIL", z.string().optional(), "only what this user did"),
      event: option("EVENT", z.string().optional(), "only this, as channel_renamed"),
      about: option("KIND", z.enum(subjects).optional(), subjects.join(", ")),
      since: option("DATE", date.optional(), "only what came after"),
    },
    run: (ctx, { limit, before, by, event, about, since }) => {
      const actorId = by === undefined ? undefined : getUserByEmail(ctx, { email: by }).user_id;
      const kind = about === undefined ? undefined : { kind: about };
      return shown(ctx, listAudit(ctx, { limit, before, actorId, event, about: kind, since }));
    },
    print: (entries: Shown[]) =>
      table(
        ["ID", "TIME (UTC)", "WHO", "WHAT", "ABOUT", "DETAIL"],
        entries.map((entry) => [
          String(entry.id),
          new Date(entry.at * 1000).toISOString().slice(0, 16).replace("T", " "),
          entry.actor ?? "the system",
          entry.event,
          `${entry.about.kind}${entry.about.id === null ? "" : ` ${entry.about.id}`}`,
          Object.keys(entry.data).length === 0 ? "" : JSON.stringify(entry.data),
        ]),
      ),
  }),
];
