import type { Tx } from "@/kernel/context.ts";
import type { Subject } from "./schema.ts";
import { insertEntry } from "./store.ts";

/** Something an administrator did, in words of the past with underscores: `channel_renamed`. */
export interface Deed {
  event: string;
  about: { kind: Subject; id?: number | null };
  /** What changed, such as `{ from, to }`; never a secret. */
  data?: Record<string, unknown>;
}

/** Writes down who did what, in the transaction that does it; part of every administrative action. */
export function recordAudit(tx: Tx, { event, about, data = {} }: Deed): void {
  const { kind, id, client } = tx.actor;
  insertEntry(tx, {
    actor_id: kind === "user" ? id : null,
    client,
    event,
    about: { kind: about.kind, id: about.id ?? null },
    data,
  });
}
