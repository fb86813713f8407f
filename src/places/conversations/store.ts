import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { Conversation } from "./schema.ts";

export const findConversation = cache(["conversations"], ({ db }, id: number) =>
  db.get<Conversation>("SELECT id, channel_id, participants FROM conversations WHERE id = ?", id),
);

export const findOfChannel = cache(["conversations"], ({ db }, channelId: number) =>
  db.get<{ id: number }>("SELECT id FROM conversations WHERE channel_id = ?", channelId),
);

export const findOfParticipants = cache(["conversations"], ({ db }, participants: string) =>
  db.get<{ id: number }>("SELECT id FROM conversations WHERE participants = ?", participants),
);

export function insertOfChannel(tx: Tx, channelId: number): number {
  const { lastInsertRowid: id } = tx.run("INSERT INTO conversations (channel_id) VALUES (?)", channelId);
  insertSequence(tx, id);
  return id;
}

function insertSequence(tx: Tx, id: number): void {
  tx.run("INSERT INTO sequences (conversation_id, last_seq) VALUES (?, 0)", id);
}

export function insertOfParticipants(tx: Tx, userIds: readonly number[]): number {
  const { lastInsertRowid: id } = tx.run(
    "INSERT INTO conversations (participants) VALUES (?)",
    userIds.join(","),
  );
  insertSequence(tx, id);
  for (const user of userIds) {
    tx.run("INSERT INTO direct_participants (user_id, conversation_id) VALUES (?, ?)", user, id);
  }
  return id;
}

/** The last seq of a conversation, even if its message was deleted. */
export function lastSeq({ db }: Reads, id: number): number {
  return (
    db.get<{ last_seq: number }>("SELECT last_seq FROM sequences WHERE conversation_id = ?", id)?.last_seq ??
    0
  );
}

export function setLastSeq(tx: Tx, id: number, seq: number): void {
  tx.run("UPDATE sequences SET last_seq = ? WHERE conversation_id = ?", seq, id);
}

/**
 * Conversations that messages were moved into. Skips through the index: the cost grows with them, not with their messages.
 */
export function listMovedInto({ db }: Reads): number[] {
  const next =
    "SELECT MIN(conversation_id) FROM messages INDEXED BY messages_moved WHERE conversation_id <> home_id";
  return db
    .all<{ id: number }>(
      `WITH RECURSIVE moved (id) AS (${next} UNION ALL ` +
        `SELECT (${next} AND conversation_id > moved.id) FROM moved WHERE moved.id IS NOT NULL) ` +
        "SELECT id FROM moved WHERE id IS NOT NULL",
    )
    .map((row) => row.id);
}

function idsOf(rows: { id: number }[]): number[] {
  return rows.map((row) => row.id);
}

const someUsers = 5_000;

export const directConversationsOf = cache(
  ["direct_participants"],
  ({ db }, userId: number): ReadonlySet<number> =>
    new Set(idsOf(db.all("SELECT conversation_id AS id FROM direct_participants WHERE user_id = ?", userId))),
  someUsers,
);

export const archivedConversations = cache(
  ["channels", "conversations"],
  ({ db }): ReadonlySet<number> =>
    new Set(
      idsOf(
        db.all(
          "SELECT conversations.id FROM channels JOIN conversations ON channel_id = channels.id WHERE is_archived",
        ),
      ),
    ),
);

/** Conversations of channels that are public, or web-public. */
export const openConversations = cache(
  ["channels", "conversations"],
  ({ db }, kind: "public" | "web-public"): ReadonlySet<number> => {
    const condition = kind === "public" ? "NOT invite_only" : "is_web_public";
    const sql = `SELECT conversations.id FROM channels JOIN conversations ON channel_id = channels.id WHERE ${condition}`;
    return new Set(idsOf(db.all(sql)));
  },
);
