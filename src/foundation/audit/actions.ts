import type { Tx } from "@/kernel/core/context.ts";
import type { Subject } from "./schema.ts";
import { findName, insertEntry } from "./store.ts";

/** An act on what is the organization's or somebody else's; `event` is in the past tense with underscores: `channel_renamed`. */
interface AuditRecord {
  event: string;
  /** The name is looked up, unless it is given: for what has no row, or no longer one. */
  about: { kind: Subject; id?: number | null; name?: string | null | undefined };
  /** Whose it is; absent for the organization's things, and for accounts. */
  personId?: number | null | undefined;
  /** What changed, such as `{ from, to }`; never a secret. */
  data?: Record<string, unknown>;
}

/** Records who did what, in the same transaction; part of every act on what is not the actor's own (test/foundation/audited.test.ts). */
export function recordAudit(tx: Tx, { event, about, personId = null, data = {} }: AuditRecord): void {
  const { kind, id: actorId, client } = tx.actor;
  const { id = null } = about;
  const name = about.name ?? (id === null ? null : findName(tx, about.kind, id));
  insertEntry(tx, {
    actor_id: kind === "user" ? actorId : null,
    client,
    event,
    about: { kind: about.kind, id, name },
    person_id: personId,
    data,
  });
}
