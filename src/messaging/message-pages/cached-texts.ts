// Keeps messages as clients read them, as text up to the reader's flags. A text is dropped when its message is altered, or anything that
// many messages show: people, channels, linkifiers. Sending drops nothing.

import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import type { Bytes } from "@/kernel/lib/ended-json.ts";
import { tablesVersion } from "@/kernel/store/cache.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { takeAlteredMessages } from "@/messaging/invalidation/access.ts";
import type { Candidate } from "@/messaging/message-rows/schema.ts";

/** What is kept of a message. */
export interface CachedText {
  /** The columns that decide who may read it. */
  readonly row: Candidate;
  /** What it counts towards the length of a page. */
  readonly length: number;
  texts: FormText | null;
}

/** The message in one form, ending with the name of the flags. */
interface FormText {
  /** What the client asked for, as bits. */
  readonly form: number;
  readonly text: Bytes;
  readonly next: FormText | null;
}

/** Of half of the texts, the younger; the older half goes when that is full, except what was asked for meanwhile. */
interface Texts {
  /** Counts alterations of messages, other than new ones. */
  alterations: number;
  /** The database's count of changes when it was last checked that everything is current. */
  changes: number;
  shared: number;
  policy: string;
  young: Map<number, CachedText>;
  old: Map<number, CachedText>;
  /** In bytes, of the younger half. */
  size: number;
}

/** In bytes, estimated, of both halves. */
const maxMemory = 16_000_000;
/** Longer texts are not kept: they would take the place of hundreds. */
const maxText = 65_536;
/** Estimated bytes of a message without its texts, and of a text without its characters. */
const overhead = { message: 500, text: 500 };

/** What the texts of many messages show. The names of clients and what a conversation is never change. */
const sharedTables = tablesVersion(["users", "realm", "channels", "linkifiers"]);

const textsOf = perApp<Texts>(() => ({
  alterations: 0,
  changes: -1,
  shared: -1,
  policy: "",
  young: new Map(),
  old: new Map(),
  size: 0,
}));

/** Finds and keeps texts, until anything is written or another request runs. */
export interface CachedTexts {
  find(id: number): CachedText | undefined;
  /** Keeps a text that was read since the database had counted `changes`. */
  keep(message: Omit<CachedText, "texts">, form: number, text: Bytes, changes: number): void;
}

function current(reads: Reads): Texts | null {
  if (reads.db.sqlite.inTransaction) return null;
  const texts = textsOf(reads);
  if (texts.changes !== reads.db.changes) dropOutdated(reads, texts);
  return texts;
}

/** Differs whenever messages were altered or deleted, and may differ at other times. Null inside a transaction. */
export function alterationsSeen(reads: Reads): number | null {
  return current(reads)?.alterations ?? null;
}

/** Null inside a transaction, which may yet be rolled back. */
export function findTextCache(reads: Reads): CachedTexts | null {
  const { db } = reads;
  const texts = current(reads);
  if (!texts) return null;
  return {
    find: (id) => texts.young.get(id) ?? foundAmongOld(texts, id),
    keep: ({ row, length }, form, text, changes) => {
      // What was read before a change may be outdated.
      if (text.length > maxText || changes !== db.changes || changes !== texts.changes) return;
      const kept = texts.young.get(row.id) ?? foundAmongOld(texts, row.id) ?? { row, length, texts: null };
      const same = sameText(kept, text);
      kept.texts = { form, text: same ?? text, next: kept.texts };
      texts.size += overhead.text + (same ? 0 : text.length);
      if (!texts.young.has(row.id)) add(texts, kept, overhead.message);
      else if (texts.size > maxMemory / 2) age(texts);
    },
  };
}

/** Forms can have the same text: of most messages, a client that knows empty topics reads nothing else. */
function sameText({ texts }: CachedText, text: Bytes): Bytes | null {
  for (let one = texts; one; one = one.next) if (Buffer.compare(one.text, text) === 0) return one.text;
  return null;
}

/** The text of a form, if it is kept. */
export function textIn(kept: CachedText | undefined, form: number): Bytes | null {
  for (let one = kept?.texts ?? null; one; one = one.next) if (one.form === form) return one.text;
  return null;
}

function dropOutdated(reads: Reads, texts: Texts): void {
  const altered = takeAlteredMessages(reads);
  const shared = sharedTables(reads);
  const policy = realmSettings.read(reads).message_edit_history_visibility_policy;
  const { changes } = reads.db;
  if (!altered || altered.length > 0) texts.alterations++;
  if (!altered || shared !== texts.shared || policy !== texts.policy) {
    Object.assign(texts, { young: new Map(), old: new Map(), size: 0 });
  }
  for (const id of altered ?? []) {
    // The size stays: the memory is counted again when the halves change.
    texts.young.delete(id);
    texts.old.delete(id);
  }
  Object.assign(texts, { changes, shared, policy });
}

function foundAmongOld(texts: Texts, id: number): CachedText | undefined {
  const kept = texts.old.get(id);
  if (!kept) return undefined;
  texts.old.delete(id);
  add(texts, kept, sizeOf(kept));
  return kept;
}

function add(texts: Texts, kept: CachedText, size: number): void {
  texts.young.set(kept.row.id, kept);
  texts.size += size;
  if (texts.size > maxMemory / 2) age(texts);
}

function age(texts: Texts): void {
  texts.old = texts.young;
  texts.young = new Map();
  texts.size = 0;
}

function sizeOf({ texts }: CachedText): number {
  let size = overhead.message;
  for (let one = texts; one; one = one.next) size += one.text.length + overhead.text;
  return size;
}
