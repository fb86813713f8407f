// Keeps messages as clients read them, as text up to the reader's flags. A text is dropped when its message is altered, or anything that
// many messages show: people, channels, linkifiers. Sending drops nothing.

import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import type { Bytes } from "@/kernel/lib/ended-json.ts";
import { declareCache } from "@/kernel/store/cache.ts";
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

/** Longer texts are not kept: they would take the place of hundreds. */
const maxText = 65_536;
/** Estimated bytes of a message without its texts, and of a text without its characters. */
const overhead = { message: 500, text: 500 };

const changeStateOf = perApp(() => ({ count: 0, policy: "" }));

const textCache = declareCache<number, CachedText>({
  name: "texts of messages",
  max: 16_000_000,
  sizeOf({ texts }) {
    let size = overhead.message;
    for (let one = texts; one; one = one.next) size += one.text.length + overhead.text;
    return size;
  },
  // The names of clients and what a conversation is never change.
  tables: ["users", "realm", "channels", "linkifiers"],
  listOutdated(reads) {
    const seen = changeStateOf(reads);
    const altered = takeAlteredMessages(reads);
    if (altered?.length !== 0) seen.count++;
    const { policy } = seen;
    seen.policy = realmSettings.read(reads).message_edit_history_visibility_policy;
    return seen.policy === policy ? altered : null;
  },
});

/** Finds and keeps texts, until anything is written or another request runs. */
export interface CachedTexts {
  find(id: number): CachedText | undefined;
  /** Keeps a text that was read since the database had counted `changes`. */
  keep(message: Omit<CachedText, "texts">, form: number, text: Bytes, changes: number): void;
}

/** Differs whenever messages were altered or deleted, and may differ at other times. Null inside a transaction. */
export function countMessageChanges(reads: Reads): number | null {
  if (reads.db.sqlite.inTransaction) return null;
  textCache(reads);
  return changeStateOf(reads).count;
}

export function findTextCache(reads: Reads): CachedTexts {
  const { db } = reads;
  const cache = textCache(reads);
  const { changes: since } = db;
  return {
    find: (id) => cache.get(id),
    keep: ({ row, length }, form, text, changes) => {
      // What was read before a change may be outdated.
      if (text.length > maxText || changes !== db.changes || changes !== since) return;
      const kept = cache.get(row.id) ?? { row, length, texts: null };
      kept.texts = { form, text: sameText(kept, text) ?? text, next: kept.texts };
      cache.set(row.id, kept);
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
