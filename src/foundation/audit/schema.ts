import { z } from "zod";

/** What an entry can be about; some, such as `realm`, have no ID. */
export const subjects = [
  "realm",
  "user",
  "bot",
  "group",
  "channel",
  "folder",
  "invitation",
  "linkifier",
  "playground",
  "emoji",
  "profile_field",
  "domain",
  "default_channel_group",
  "message",
  "report",
  "export",
] as const;
export type Subject = (typeof subjects)[number];

/** One administrative change. `data` is what changed, never a secret: `{ from, to }` for a replaced value. */
export const auditEntry = z.object({
  id: z.int(),
  /** UNIX seconds. */
  at: z.int(),
  /** Null if the system acted. */
  actor_id: z.int().nullable(),
  client: z.string(),
  event: z.string(),
  about: z.object({ kind: z.enum(subjects), id: z.int().nullable() }),
  data: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** What to list, newest first; `before` is the ID of the last entry seen. */
export interface AuditFilter {
  limit: number;
  before?: number;
  actorId?: number;
  event?: string;
  about?: { kind: Subject; id?: number };
  /** UNIX seconds, inclusive. */
  since?: number;
}
