// The full-text index: what messages hold and where they stand, as tokens. It follows the messages at a short distance,
// so that sending and moving cost no indexing; whoever searches looks through what it does not know yet themselves.

import type { Reads, Tx } from "@/kernel/context.ts";
import type { Window } from "@/kernel/merge.ts";
import { messageBits } from "@/messaging/messages/schema.ts";
import { isResolved } from "@/places/topics/resolving.ts";
import { factToken, tokensOf } from "@/text/search/tokens.ts";

/** Tokens of facts that narrows ask for. */
export const facts = {
  inConversation: (id: number) => factToken("c", id),
  inTopic: (topicKey: string) => factToken("t", topicKey),
  sentBy: (userId: number) => factToken("s", userId),
  resolved: factToken("r"),
  withBit: (bit: number) => factToken("b", bit),
  /** The n-th block of IDs of this size. */
  inBlock: (size: number, n: number) => factToken(`i_${size}`, n),
};

/**
 * Sizes of blocks of IDs. The index stops looking for more at the end of a block, but not at a limit on IDs: so with
 * the token of a block among those that are wanted, a read is short however far apart the matches are.
 */
export const blockSizes = [2_048, 32_768, 262_144] as const;

const indexedBits = [messageBits.hasLink, messageBits.hasImage, messageBits.hasAttachment];

/** What the index needs of a message. */
interface Indexed {
  id: number;
  conversation_id: number;
  sender_id: number;
  bits: number;
  topic: string;
  topic_key: string;
  content: string;
}

/** A message that was deleted since. */
interface Gone {
  id: number;
  content: null;
}

function tokensOfMessage(row: Indexed): string {
  const of = [
    facts.inConversation(row.conversation_id),
    facts.inTopic(row.topic_key),
    facts.sentBy(row.sender_id),
    ...blockSizes.map((size) => facts.inBlock(size, Math.floor(row.id / size))),
    ...(isResolved(row.topic) ? [facts.resolved] : []),
    ...indexedBits.filter((bit) => (row.bits & bit) !== 0).map(facts.withBit),
  ];
  return `${of.join(" ")}${tokensOf(row.topic)}${tokensOf(row.content)}`;
}

/**
 * Has the index take these messages anew. To be called in the transaction of whatever changes their content, topic,
 * place, sender or bits, or deletes them.
 */
export function reindexMessages(tx: Tx, ids: readonly number[]): void {
  tx.run(
    "INSERT OR IGNORE INTO unindexed_messages (message_id) SELECT value FROM json_each(?)",
    JSON.stringify(ids),
  );
}

/** As `reindexMessages`, of one that is new. */
export function indexNewMessage(tx: Tx, id: number): void {
  tx.run("INSERT INTO unindexed_messages (message_id) VALUES (?)", id);
}

export function hasUnindexed({ db }: Reads): boolean {
  return db.get("SELECT 1 FROM unindexed_messages LIMIT 1") !== null;
}

/** Brings the index up to date with the oldest `most` of what it does not know yet. */
export function indexOldest(tx: Tx, most: number): void {
  const rows = tx.db.all<Indexed | Gone>(
    "SELECT u.message_id AS id, m.conversation_id, m.sender_id, m.bits, m.topic, m.topic_key, m.content " +
      "FROM unindexed_messages AS u LEFT JOIN messages AS m ON m.id = u.message_id ORDER BY u.message_id LIMIT ?",
    most,
  );
  for (const row of rows) {
    if (row.content === null) tx.run("DELETE FROM message_index WHERE rowid = ?", row.id);
    else {
      const sql = "INSERT OR REPLACE INTO message_index (rowid, tokens) VALUES (?, ?)";
      tx.run(sql, row.id, tokensOfMessage(row));
    }
  }
  tx.run("DELETE FROM unindexed_messages WHERE message_id <= ?", rows.at(-1)?.id ?? 0);
}

/** Messages of a block that the index knows with all of these tokens, ascending: FTS5 is slow to read downwards. */
export function idsWithTokens({ db }: Reads, tokens: readonly string[], block: Window): number[] {
  const wanted = [facts.inBlock(block.size, block.n), ...tokens];
  return db
    .all<{ id: number }>(
      "SELECT rowid AS id FROM message_index WHERE message_index MATCH ? AND rowid > ? AND rowid < ? " +
        "ORDER BY rowid",
      wanted.map((token) => `"${token}"`).join(" AND "),
      block.above,
      block.below,
    )
    .map((row) => row.id);
}
