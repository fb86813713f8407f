import type { Tx } from "@/kernel/core/context.ts";
import type { AuditEvent, Subject } from "./schema.ts";
import * as store from "./store.ts";

/** An act on what is the organization's or somebody else's; `event` is in the past tense with underscores: `channel_renamed`. */
interface AuditRecord {
  event: AuditEvent;
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

/** Events about a person of which `data` has their names, their addresses or their words. */
const personalEvents = new Set([
  "user_created",
  "user_renamed",
  "user_address_changed",
  "user_status_changed",
]);

interface Rewording {
  /** The ID of the last entry that was looked at before. */
  after: number;
  max: number;
  /** Who was erased. */
  personId: number;
  /** What stands for their name and for their words. */
  by: string;
  /** Replaces what names the person in another text; `isTheirs` if the entry is about them or theirs, or about what they did. */
  reword: (text: string, entry: { isTheirs: boolean }) => string;
}

/** Replaces what names an erased person in the next `max` entries. Returns the ID of the last of them, or null if no more follow. */
export function rewordEntries(tx: Tx, { after, max, personId, by, reword }: Rewording): number | null {
  const entries = store.listAfter(tx, after, max);
  for (const { id, event, about, actor_id, person_id, data } of entries) {
    const isAbout = about.kind === "user" && about.id === personId;
    const isTheirs = isAbout || actor_id === personId || person_id === personId;
    const rewordOne = (text: string) => reword(text, { isTheirs });
    const rewordValue = isAbout && personalEvents.has(event) ? (text: string) => text && by : rewordOne;
    const name = about.name === null ? null : isAbout ? by : rewordOne(about.name);
    const reworded = rewordAll(data, rewordValue) as typeof data;
    const isSame = name === about.name && JSON.stringify(reworded) === JSON.stringify(data);
    if (!isSame) store.setText(tx, { id, about: { ...about, name }, data: reworded });
  }
  return entries.length < max ? null : (entries.at(-1)?.id ?? null);
}

function rewordAll(value: unknown, reword: (text: string) => string): unknown {
  if (typeof value === "string") return reword(value);
  if (Array.isArray(value)) return value.map((one) => rewordAll(one, reword));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rewordAll(one, reword)]));
}
