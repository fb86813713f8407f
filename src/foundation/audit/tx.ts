import type { Tx } from "@/kernel/context.ts";
import type { Subject } from "./schema.ts";
import { insertEntry } from "./store.ts";

/** A change by an administrator; `event` is in the past tense with underscores: `channel_renamed`. */
export interface AuditRecord {
  event: string;
  about: { kind: Subject; id?: number | null };
  /** What changed, such as `{ from, to }`; never a secret. */
  data?: Record<string, unknown>;
}

/** Records who did what, in the same transaction; part of every administrative action. */
export function recordAudit(tx: Tx, { event, about, data = {} }: AuditRecord): void {
  const { kind, id, client } = tx.actor;
  insertEntry(tx, {
    actor_id: kind === "user" ? id : null,
    client,
    event,
    about: { kind: about.kind, id: about.id ?? null },
    data,
  });
}
