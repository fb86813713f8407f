import type { Tx } from "@/kernel/core/context.ts";
import type { Subject } from "./schema.ts";
import * as store from "./store.ts";

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
  const name = about.name ?? (id === null ? null : store.findName(tx, about.kind, id));
  store.insertEntry(tx, {
    actor_id: kind === "user" ? actorId : null,
    client,
    event,
    about: { kind: about.kind, id, name },
    person_id: personId,
    data,
  });
}

/** A text of an entry, which may be about a person or theirs, as it is to be read from now on. */
type Reword = (text: string, entry: { isTheirs: boolean }) => string;

/**
 * Replaces words of the entries after an ID; with what they mean to a person, given by ID. Returns the last of them, or null if no
 * more follow.
 */
export function rewordEntries(
  tx: Tx,
  { after, max, personId, reword }: { after: number; max: number; personId: number; reword: Reword },
): number | null {
  const entries = store.listAfter(tx, after, max);
  for (const entry of entries) {
    const { about, actor_id, person_id, data } = entry;
    const isAbout = (about.kind === "user" || about.kind === "bot") && about.id === personId;
    const isTheirs = isAbout || actor_id === personId || person_id === personId;
    const name = about.name === null ? null : reword(about.name, { isTheirs });
    const reworded = rewordAll(data, (text) => reword(text, { isTheirs })) as typeof data;
    const isSame = name === about.name && JSON.stringify(reworded) === JSON.stringify(data);
    if (!isSame) store.setText(tx, { id: entry.id, about: { ...about, name }, data: reworded });
  }
  return entries.length < max ? null : (entries.at(-1)?.id ?? null);
}

function rewordAll(value: unknown, reword: (text: string) => string): unknown {
  if (typeof value === "string") return reword(value);
  if (Array.isArray(value)) return value.map((one) => rewordAll(one, reword));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rewordAll(one, reword)]));
}
