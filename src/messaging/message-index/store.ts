// The full-text index: the words of messages and facts such as their topic, as tokens. A job updates it shortly after the
// messages change, so that sending and moving need not wait. Searches read the messages not yet indexed one by one.

import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { MergeWindow } from "@/kernel/lib/merge.ts";
import { messageBits } from "@/messaging/message-rows/schema.ts";
import { isResolved } from "@/places/topics/resolving.ts";
import { tokensOf } from "@/text/search/tokens.ts";
import { type AnyOf, blockOf, blockSize, facts } from "./schema.ts";

const indexedBits = [messageBits.hasLink, messageBits.hasImage, messageBits.hasAttachment];

/** The columns that the index needs. */
interface Indexed {
  id: number;
  conversation_id: number;
  sender_id: number;
  bits: number;
  topic: string;
  topic_key: string;
  content: string;
}

/** A message that has been deleted. */
interface Gone {
  id: number;
  content: null;
}

/** What messages that are indexed together often share, and its tokens. */
interface Shared {
  readonly conversations: Map<number, string>;
  readonly senders: Map<number, string>;
  readonly topics: Map<string, string>;
  block: { n: number; token: string };
}

function nothingShared(): Shared {
  return { conversations: new Map(), senders: new Map(), topics: new Map(), block: { n: -1, token: "" } };
}

function tokensOfMessage(row: Indexed, { conversations, senders, topics, block }: Shared): string {
  const { conversation_id, sender_id, topic } = row;
  const n = blockOf(row.id);
  if (block.n !== n) {
    block.n = n;
    block.token = ` ${facts.inBlock(n)}`;
  }
  const tokens = [
    conversations.get(conversation_id) ??
      remember(conversations, conversation_id, facts.inConversation(conversation_id)),
    senders.get(sender_id) ?? remember(senders, sender_id, ` ${facts.sentBy(sender_id)}`),
    block.token,
  ];
  for (const bit of indexedBits) if ((row.bits & bit) !== 0) tokens.push(" ", facts.withBit(bit));
  tokens.push(topics.get(topic) ?? remember(topics, topic, tokensOfTopic(row)));
  tokens.push(tokensOf(row.content));
  return tokens.join("");
}

function tokensOfTopic({ topic, topic_key }: Indexed): string {
  return ` ${facts.inTopic(topic_key)}${isResolved(topic) ? ` ${facts.resolved}` : ""}${tokensOf(topic)}`;
}

function remember<K>(known: Map<K, string>, key: K, tokens: string): string {
  known.set(key, tokens);
  return tokens;
}

/**
 * Queues messages for indexing. Call it in the transaction that changes their content, topic, conversation, sender or
 * bits, or that deletes them. New messages need not be queued: their IDs are above the end of the index.
 */
export function reindexMessages(tx: Tx, ids: readonly number[]): void {
  tx.run(
    "INSERT OR IGNORE INTO unindexed_messages (message_id) SELECT value FROM json_each(?) " +
      "WHERE value <= (SELECT message_id FROM sender_index_end)",
    JSON.stringify(ids),
  );
}

export function hasUnindexed({ db }: Reads): boolean {
  return db.get("SELECT 1 FROM messages_to_index LIMIT 1") !== null;
}

/** Indexes the oldest of the queued messages: at most `max`, and no further one after `maxMs` of work. */
export function indexOldest(tx: Tx, max: number, maxMs: number): void {
  const end = performance.now() + maxMs;
  const indexed = findIndexedEnd(tx);
  const shared = nothingShared();
  let last = 0;
  for (let taken = 0; taken < max && (last === 0 || performance.now() <= end); taken += readAtOnce) {
    const rows = listUnindexed(tx, last, indexed);
    for (const row of rows) {
      if (last > 0 && performance.now() > end) break;
      last = row.id;
      if (row.content === null) tx.run("DELETE FROM message_index WHERE rowid = ?", row.id);
      else {
        // FTS5 first looks for what to replace, so new messages are better inserted.
        const how = row.id > indexed ? "INSERT" : "INSERT OR REPLACE";
        tx.run(
          `${how} INTO message_index (rowid, tokens) VALUES (?, ?)`,
          row.id,
          tokensOfMessage(row, shared),
        );
      }
    }
    if (rows.length < readAtOnce) break;
  }
  tx.run("DELETE FROM unindexed_messages WHERE message_id <= ?", last);
  indexSenders(tx, last);
}

/** Messages may be long, so few are read before the time is looked at again. */
const readAtOnce = 100;

/** In the order of their IDs: what changed since it was indexed, then what is new. */
function listUnindexed({ db }: Reads, id: number, indexed: number): (Indexed | Gone)[] {
  const changed = db.all<Indexed | Gone>(
    "SELECT u.message_id AS id, m.conversation_id, m.sender_id, m.bits, m.topic, m.topic_key, m.content " +
      "FROM unindexed_messages AS u LEFT JOIN messages AS m ON m.id = u.message_id WHERE u.message_id > ? " +
      "ORDER BY u.message_id LIMIT ?",
    id,
    readAtOnce,
  );
  if (changed.length === readAtOnce) return changed;
  const added = db.all<Indexed>(
    "SELECT id, conversation_id, sender_id, bits, topic, topic_key, content FROM messages NOT INDEXED " +
      "WHERE id > ? ORDER BY id LIMIT ?",
    Math.max(id, indexed),
    readAtOnce - changed.length,
  );
  return changed.length > 0 ? [...changed, ...added] : added;
}

/** Merges segments of the index, writing about this many pages. Returns whether there was anything to merge. */
export function mergeSegments(tx: Tx, pages: number): boolean {
  const changes = () => tx.db.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  const before = changes();
  tx.run("INSERT INTO message_index (message_index, rank) VALUES ('merge', ?)", pages);
  return changes() - before > 1; // the statement itself counts as one
}

/** Indexed messages of a window that are listed under one token of each set. Ascending, because FTS5 is slow to read downwards. */
export function idsWithTokens(reads: Reads, wanted: readonly AnyOf[], window: MergeWindow): number[] {
  const { above, below } = window;
  return reads.db
    .all<{ id: number }>(
      "SELECT rowid AS id FROM message_index WHERE message_index MATCH ? AND rowid > ? AND rowid < ? " +
        "ORDER BY rowid",
      setsFor(reads, wanted, window).map(oneOf).join(" AND "),
      above,
      below,
    )
    .map((row) => row.id);
}

const oneOf = (tokens: AnyOf) => `(${tokens.map((token) => `"${token}"`).join(" OR ")})`;

/**
 * What to look up for a window. FTS5 looks for the first match of all, and stops at an upper limit only when it has found a
 * match beyond. So in a window of one block its token is wanted, too, because FTS5 also stops when a list ends. That
 * list is the longest of all; in a larger window, messages before and after it count as matches of every set.
 */
function setsFor(reads: Reads, wanted: readonly AnyOf[], { size, n }: MergeWindow): readonly AnyOf[] {
  if (size === blockSize) return [[facts.inBlock(n)], ...wanted];
  const [start, end] = [n * size, (n + 1) * size];
  const first = findIndexedFrom(reads, 0);
  const isBefore = first !== null && blockOf(first) < blockOf(start);
  const after = findIndexedFrom(reads, end);
  const outside = [...(isBefore ? [first] : []), ...(after === null ? [] : [after])];
  const tokens = outside.map((id) => facts.inBlock(blockOf(id)));
  return wanted.map((set) => [...set, ...tokens]);
}

/** The first indexed ID that is not below `id`. */
function findIndexedFrom({ db }: Reads, id: number): number | null {
  const sql = "SELECT rowid AS id FROM message_index WHERE rowid >= ? ORDER BY rowid LIMIT 1";
  return db.get<{ id: number }>(sql, id)?.id ?? null;
}

/**
 * Messages of a window that contain an ASCII text in their content or topic, ignoring case, ascending. May return others,
 * because `i`, `k`, `;` and the backtick match any character: when normalized, some non-ASCII characters equal them.
 */
export function idsContaining({ db }: Reads, text: string, { above, below }: MergeWindow): number[] {
  const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&").replaceAll(/[ik;`]/gi, "_")}%`;
  const rows = db.all<{ id: number }>(
    "SELECT id FROM messages NOT INDEXED WHERE id > ?1 AND id < ?2 " +
      "AND (content LIKE ?3 ESCAPE '\\' OR topic LIKE ?3 ESCAPE '\\') ORDER BY id",
    above,
    below,
    pattern,
  );
  return rows.map(({ id }) => id);
}

/** The ID of the organization's newest message; 0 before the first. */
export function newestId({ db }: Reads): number {
  return db.get<{ id: number | null }>("SELECT MAX(id) AS id FROM messages")?.id ?? 0;
}

// The index of senders: which messages each has sent. The job that indexes messages adds the new ones, many at a time, because those
// of a single commit would change a page for each sender. Triggers remove what is deleted.

/** Messages with higher IDs are in neither index yet; IDs only grow. */
function findIndexedEnd({ db }: Reads): number {
  return db.get<{ id: number }>("SELECT message_id AS id FROM sender_index_end")?.id ?? 0;
}

/** Adds the messages up to an ID, in the order of the index. */
function indexSenders(tx: Tx, last: number): void {
  const end = findIndexedEnd(tx);
  if (last <= end) return;
  tx.run(
    "INSERT INTO sender_index (sender_id, message_id) " +
      "SELECT sender_id, id FROM messages NOT INDEXED WHERE id > ? AND id <= ? ORDER BY sender_id, id",
    end,
    last,
  );
  tx.run("UPDATE sender_index_end SET message_id = ?", last);
}
