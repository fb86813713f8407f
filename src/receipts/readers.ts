import { conversation, participantsOf } from "@/conversations/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { usersWhoMuted } from "@/muted-users/access.ts";
import { hasReceived } from "./access.ts";
import { flagBits } from "./schema.ts";
import { findFlagsOn, type Receipt } from "./store.ts";
import * as store from "./store-readers.ts";

type Reads = Pick<Ctx, "db">;

/** Everyone to whom a message came, or who took it into their history, and who has read it; its sender aside. */
export function readersOfMessage(
  reads: Reads,
  row: Pick<Receipt, "id" | "home_id" | "seq" | "sender_id">,
): Set<number> {
  const home = conversation(reads, row.home_id);
  const receivers =
    home.channel_id === null
      ? store.findMarksOf(reads, row, participantsOf(home))
      : store.findReceiverMarks(reads, row);
  const others = store.findMarksOf(reads, row, store.findHistorians(reads, [row.id]));
  const readers = new Set<number>();
  for (const mark of [...receivers, ...others]) if (saysRead(mark, row.seq)) readers.add(mark.user_id);
  for (const id of readAsMuted(reads, row)) readers.add(id);
  readers.delete(row.sender_id);
  return readers;
}

/** Those who received a message from somebody they had muted, and do not keep it unread. */
function readAsMuted(reads: Reads, row: Pick<Receipt, "id" | "home_id" | "seq" | "sender_id">): number[] {
  const muters = usersWhoMuted(reads, row);
  if (muters.size === 0) return [];
  const flags = findFlagsOn(reads, row.id);
  const keepsUnread = (id: number) => ((flags.get(id) ?? 0) & flagBits.keptUnread) !== 0;
  return [...muters].filter((id) => hasReceived(reads, id, row) && !keepsUnread(id));
}

type Placed = Pick<Receipt, "id" | "conversation_id" | "home_id" | "seq">;

/** Who has a record of any of these messages without being one who now receives what is sent where they stand. */
export function formerRecordHolders(reads: Reads, rows: readonly Placed[]): number[] {
  const holders = new Set(
    store.findHistorians(
      reads,
      rows.map((row) => row.id),
    ),
  );
  for (const { homeId, inOrder, ...range } of homesOf(rows)) {
    const isMoved = inOrder.some((row) => row.conversation_id !== homeId);
    for (const id of store.findHolders(reads, { homeId, ...range }, isMoved)) holders.add(id);
  }
  return [...holders].sort((a, b) => a - b);
}

/** Which of these messages came to each user when they were sent; who received none of them is missing. */
export function receivedByEach(reads: Reads, rows: readonly Placed[]): Map<number, number[]> {
  const received = new Map<number, number[]>();
  for (const { inOrder, ...range } of homesOf(rows)) {
    for (const { user_id, from_seq, to_seq } of store.findSpansInto(reads, range)) {
      const isWhole = from_seq <= range.least && (to_seq === null || to_seq >= range.most);
      const within = isWhole
        ? inOrder
        : inOrder.filter(({ seq }) => seq >= from_seq && (to_seq === null || seq <= to_seq));
      const ids = within.map((row) => row.id);
      if (ids.length > 0) received.set(user_id, [...(received.get(user_id) ?? []), ...ids]);
    }
  }
  return received;
}

interface Home extends store.HomeRange {
  /** Its messages by seq. */
  inOrder: readonly Placed[];
}

function homesOf(rows: readonly Placed[]): Home[] {
  return [...Map.groupBy(rows, (row) => row.home_id)].map(([homeId, own]) => {
    const inOrder = own.toSorted((a, b) => a.seq - b.seq);
    return { homeId, inOrder, least: inOrder[0]?.seq ?? 0, most: inOrder.at(-1)?.seq ?? 0 };
  });
}

function saysRead({ upto, byte }: store.ReaderMark, seq: number): boolean {
  return seq <= upto || ((Number.parseInt(byte || "0", 16) >> ((seq - upto - 1) & 7)) & 1) === 1;
}
