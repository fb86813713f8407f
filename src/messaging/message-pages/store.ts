// Reads many messages, through indexes that list them in order of ID.

import type { Reads, SqlValue } from "@/kernel/core/context.ts";
import type { Direction } from "@/kernel/lib/merge.ts";
import { cache } from "@/kernel/store/cache.ts";
import { bytesOfEdit } from "@/messaging/message-history/schema.ts";
import { messageBits, type Reach } from "@/messaging/message-rows/schema.ts";

type Source = Record<Direction, string>;

function source(table: string, condition: string, id = "id"): Source {
  const from = `SELECT ${id} AS id FROM ${table} WHERE ${condition === "" ? "" : `${condition} AND `}${id}`;
  return {
    before: `${from} < ? ORDER BY ${id} DESC LIMIT ?`,
    after: `${from} > ? ORDER BY ${id} LIMIT ?`,
  };
}

/**
 * Received messages in order of seq, which within a home is the order of IDs. The seq for the anchor is that of the nearest
 * message that is still in its home.
 */
function buildReceivedSource(): Source {
  const neighbour = (compare: string, order: string) =>
    "(SELECT n.seq FROM messages AS n INDEXED BY messages_by_conversation " +
    `WHERE n.conversation_id = ?1 AND n.home_id = ?1 AND n.id ${compare} ?4 ORDER BY n.id ${order} LIMIT 1)`;
  const from = "SELECT id FROM messages INDEXED BY messages_by_home WHERE home_id = ?1";
  return {
    before:
      `${from} AND seq >= ?2 AND seq <= MIN(?3, IFNULL(${neighbour(">=", "ASC")}, ?3)) ` +
      "AND id < ?4 ORDER BY seq DESC LIMIT ?5",
    after:
      `${from} AND seq >= MAX(?2, IFNULL(${neighbour("<=", "DESC")}, ?2)) AND seq <= ?3 ` +
      "AND id > ?4 ORDER BY seq LIMIT ?5",
  };
}

/** Each names an index that is ordered by ID, so that a page needs no sort and no scan. */
const sources = {
  everything: source("messages NOT INDEXED", ""),
  conversation: source("messages INDEXED BY messages_by_conversation", "conversation_id = ?"),
  topic: source("messages INDEXED BY messages_by_topic", "conversation_id = ? AND topic_key = ?"),
  sender: source("sent_messages", "sender_id = ?"),
  movedInto: source(
    "messages INDEXED BY messages_moved",
    "conversation_id = ? AND conversation_id <> home_id",
  ),
  channelWildcard: source(
    "messages INDEXED BY messages_with_channel_wildcard",
    `bits & ${messageBits.channelWildcard}`,
  ),
  flagged: source("message_flags", "user_id = ? AND bits & ? <> 0", "message_id"),
  // A message with several reactions occurs several times.
  reacted: source("reactions", "", "message_id"),
  unindexed: source("messages_to_index", ""),
  received: buildReceivedSource(),
};

/** Messages that an index lists in order of ID. */
export interface Path {
  readonly source: keyof typeof sources;
  readonly params: readonly SqlValue[];
}

export const everything: Path = { source: "everything", params: [] };
export const withChannelWildcard: Path = { source: "channelWildcard", params: [] };
export const reacted: Path = { source: "reacted", params: [] };
/** Messages that the full-text index does not contain yet. */
export const unindexed: Path = { source: "unindexed", params: [] };
export const inConversation = (id: number): Path => ({ source: "conversation", params: [id] });
export const inTopic = (id: number, topicKey: string): Path => ({ source: "topic", params: [id, topicKey] });
export const pathOfSender = (userId: number): Path => ({ source: "sender", params: [userId] });
export const pathOfMovesInto = (conversationId: number): Path => ({
  source: "movedInto",
  params: [conversationId],
});
export const pathOfFlagged = (userId: number, bits: number): Path => ({
  source: "flagged",
  params: [userId, bits],
});
export const pathOfReceived = ({ home_id, from_seq, to_seq }: ReceivedSpan): Path => {
  return { source: "received", params: [home_id, from_seq, to_seq] };
};

export interface IdBatch {
  direction: Direction;
  /** Exclusive. */
  from: number;
  max: number;
}

/** The next IDs on a path beyond `from`, in the given direction. */
export function idsAlong(
  { db }: Reads,
  { source, params }: Path,
  { direction, from, max }: IdBatch,
): number[] {
  return db.all<{ id: number }>(sources[source][direction], ...params, from, max).map((row) => row.id);
}

export interface TextRow {
  id: number;
  topic: string;
  content: string;
}

/** The texts of these messages that searches examine. */
export function findTexts({ db }: Reads, ids: readonly number[]): TextRow[] {
  return db.all<TextRow>(
    "SELECT m.id, m.topic, m.content FROM json_each(?) AS wanted CROSS JOIN messages AS m ON m.id = wanted.value",
    JSON.stringify(ids),
  );
}

/** The text of messages as HTML. */
export function findHtml({ db }: Reads, ids: readonly number[]): { id: number; rendered: string }[] {
  return db.all(
    "SELECT m.id, m.rendered FROM json_each(?) AS wanted CROSS JOIN messages AS m ON m.id = wanted.value",
    JSON.stringify(ids),
  );
}

/** Those of these messages that have reactions. */
export function findReactedAmong({ db }: Reads, ids: readonly number[]): Set<number> {
  const sql =
    "SELECT DISTINCT message_id AS id FROM reactions WHERE message_id IN (SELECT value FROM json_each(?))";
  return new Set(idsOf(db.all(sql, JSON.stringify(ids))));
}

/** Estimated bytes of one reaction in an answer. */
export const reactionBytes = 100;

/** The bytes of a message, including edit history, submessages and reactions. Does not read the texts. */
const bytes =
  `octet_length(content) + octet_length(rendered) + IIF(bits & ${messageBits.edited}, ` +
  `(SELECT IFNULL(SUM(${bytesOfEdit}), 0) FROM message_edits WHERE message_id = messages.id), 0) + ` +
  "(SELECT IFNULL(SUM(octet_length(content)), 0) FROM submessages WHERE message_id = messages.id) + " +
  `(SELECT COUNT(*) * ${reactionBytes} FROM reactions WHERE message_id = messages.id)`;

const amongIds = "FROM messages WHERE id IN (SELECT value FROM json_each(?))";

/** The bytes of each of these messages. */
export function lengthsOf({ db }: Reads, ids: readonly number[]): Map<number, number> {
  const sql = `SELECT id, ${bytes} AS bytes ${amongIds}`;
  const rows = db.all<{ id: number; bytes: number }>(sql, JSON.stringify(ids));
  return new Map(rows.map((row) => [row.id, row.bytes]));
}

/** The bytes of these messages together. */
export function lengthOf({ db }: Reads, ids: readonly number[]): number {
  const sql = `SELECT SUM(${bytes}) AS bytes ${amongIds}`;
  return db.get<{ bytes: number | null }>(sql, JSON.stringify(ids))?.bytes ?? 0;
}

/** Those of these messages on which the user has any of the flags. */
export function findFlaggedAmong(
  { db }: Reads,
  userId: number,
  bits: number,
  ids: readonly number[],
): Set<number> {
  const rows = db.all<{ id: number }>(
    "SELECT message_id AS id FROM message_flags " +
      "WHERE user_id = ? AND bits & ? <> 0 AND message_id IN (SELECT value FROM json_each(?))",
    userId,
    bits,
    JSON.stringify(ids),
  );
  return new Set(rows.map((row) => row.id));
}

/** A range of seqs of a home that a user received, both ends included. */
export interface ReceivedSpan {
  home_id: number;
  from_seq: number;
  to_seq: number;
}

const someUsers = 5_000;
/** A map of a thousand lists takes ten times as much as a list of a thousand. */
const fewUsers = 500;
const endless = Number.MAX_SAFE_INTEGER;

/** Everything a user received: their spans in channels, and all of their direct conversations. */
export const listReceivedSpans = cache(
  ["receipt_spans", "direct_participants"],
  ({ db }, userId: number): readonly ReceivedSpan[] =>
    db.all<ReceivedSpan>(
      "SELECT conversation_id AS home_id, from_seq, IFNULL(to_seq, ?2) AS to_seq FROM receipt_spans WHERE user_id = ?1 " +
        "UNION ALL SELECT conversation_id, 1, ?2 FROM direct_participants WHERE user_id = ?1",
      userId,
      endless,
    ),
  someUsers,
);

/** `listReceivedSpans` by home. */
export const groupReceivedByHome = cache(
  ["receipt_spans", "direct_participants"],
  (reads, userId: number): ReadonlyMap<number, readonly ReceivedSpan[]> =>
    Map.groupBy(listReceivedSpans(reads, userId), (span) => span.home_id),
  fewUsers,
);

function idsOf(rows: { id: number }[]): number[] {
  return rows.map((row) => row.id);
}

export interface TopicRow {
  /** With the newest message's capitalization. */
  topic: string;
  max_id: number;
}

/** Skips from topic to topic in the index: the cost grows with the topics, not with their messages. */
const topicKeys =
  "WITH RECURSIVE topics (topic_key) AS (" +
  "SELECT MIN(topic_key) FROM messages WHERE conversation_id = ?1 UNION ALL " +
  "SELECT (SELECT MIN(m.topic_key) FROM messages AS m " +
  "WHERE m.conversation_id = ?1 AND m.topic_key > topics.topic_key) FROM topics WHERE topic_key IS NOT NULL)";

/** The topics of a conversation, unordered. */
export function findTopics({ db }: Reads, conversationId: number): TopicRow[] {
  return db.all<TopicRow>(
    `${topicKeys}, newest (id) AS MATERIALIZED (SELECT (SELECT MAX(m.id) FROM messages AS m ` +
      "WHERE m.conversation_id = ?1 AND m.topic_key = topics.topic_key) FROM topics WHERE topic_key IS NOT NULL) " +
      "SELECT m.topic, m.id AS max_id FROM newest CROSS JOIN messages AS m ON m.id = newest.id",
    conversationId,
  );
}

/** Topics with messages in this range of seqs that were sent in the conversation and are still there. */
export function findTopicsBetween({ db }: Reads, { home_id, from_seq, to_seq }: ReceivedSpan): TopicRow[] {
  const end = (order: string) =>
    `(SELECT id FROM messages WHERE home_id = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq ${order} LIMIT 1)`;
  return db.all<TopicRow>(
    `${topicKeys}, newest (id) AS MATERIALIZED (SELECT (SELECT m.id FROM messages AS m ` +
      "WHERE m.conversation_id = ?1 AND m.topic_key = topics.topic_key AND m.home_id = ?1 " +
      `AND m.id BETWEEN ${end("ASC")} AND ${end("DESC")} ` +
      "ORDER BY m.id DESC LIMIT 1) FROM topics WHERE topic_key IS NOT NULL) " +
      "SELECT m.topic, m.id AS max_id FROM newest CROSS JOIN messages AS m ON m.id = newest.id",
    home_id,
    from_seq,
    to_seq,
  );
}

/** Messages that were moved into a conversation. */
export function findMovedInto({ db }: Reads, conversationId: number): (TopicRow & Reach)[] {
  return db.all(
    "SELECT topic, id AS max_id, home_id, seq, conversation_id, arrived_seq FROM messages INDEXED BY messages_moved " +
      "WHERE conversation_id = ? AND conversation_id <> home_id",
    conversationId,
  );
}

/** The user's direct conversations that have messages, the one with the newest message first. */
export function newestOfDirect(
  { db }: Reads,
  userId: number,
  max: number,
): { conversation_id: number; max_id: number }[] {
  return db.all(
    "SELECT conversation_id, max_id FROM (SELECT d.conversation_id, (SELECT MAX(m.id) FROM messages AS m " +
      "INDEXED BY messages_by_conversation WHERE m.conversation_id = d.conversation_id) AS max_id " +
      "FROM direct_participants AS d WHERE d.user_id = ?) WHERE max_id IS NOT NULL ORDER BY max_id DESC LIMIT ?",
    userId,
    max,
  );
}
