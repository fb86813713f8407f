import type { Reads } from "@/kernel/context.ts";
import { usersWhoMuted } from "@/messaging/muted-users/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { hasReceived } from "./access.ts";
import type { Receipt } from "./rows.ts";
import { flagBits } from "./schema.ts";
import * as store from "./store-readers.ts";

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
  const flags = store.findFlagsOn(reads, row.id);
  const keepsUnread = (id: number) => ((flags.get(id) ?? 0) & flagBits.keptUnread) !== 0;
  return [...muters].filter((id) => hasReceived(reads, id, row) && !keepsUnread(id));
}

function saysRead({ upto, byte }: store.ReaderMark, seq: number): boolean {
  return seq <= upto || ((Number.parseInt(byte || "0", 16) >> ((seq - upto - 1) & 7)) & 1) === 1;
}
