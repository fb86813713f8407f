import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { runSync } from "@/kernel/lib/tasks.ts";
import { checkFree, finishWork, inSlicesFirst, onceReady } from "@/messaging/background-jobs/running.ts";
import { keepPast } from "@/messaging/message-history/actions.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { messageFor } from "@/messaging/messages/access.ts";
import type { Attachment } from "@/messaging/uploads/schema.ts";
import { checkTimeLimit, earliestToMove } from "./access.ts";
import { changeContent, emitContentChanged, planContent } from "./actions-content.ts";
import { type Begun, beginMove, isSmall } from "./actions-moving.ts";
import { planMove } from "./actions-planning.ts";
import type { MessagePatch, TargetedMove } from "./schema.ts";

/**
 * Edits a message, moves it, or both. Returns the actor's files that the message linked to and that no message links to
 * any more. Many messages move in several transactions, so that other requests run in between; others who would move them wait.
 */
export const updateMessage = operation(
  allow.user,
  async (ctx, update: MessagePatch): Promise<Attachment[]> => {
    const beginning = { update, isInTime: false };
    const { detached, work } = await onceReady(() => beginUpdate(ctx, beginning));
    if (work !== null) await finishWork(ctx, work);
    return detached;
  },
);

interface Beginning {
  update: MessagePatch;
  /** Set once the time limit was checked, before the transaction that moves. */
  isInTime: boolean;
}

const beginUpdate = action(allow.user, (tx, beginning: Beginning): Begun => {
  const { update } = beginning;
  const row = messageFor(tx, update.message_id);
  const move = planMove(tx, row, update);
  if (move) checkInTime(tx, move, beginning);
  const content = planContent(tx, row, update);
  if (move) {
    checkFree(tx, [move.from, move.to]);
    return beginMove(tx, move, { content, wanted: update });
  }
  const detached = content === null ? fail("BAD_REQUEST", "Nothing to change") : rewrite(tx, row, content);
  return { detached, work: null };
});

/** Throws `NotYet` to have a large topic's messages checked in slices. */
function checkInTime(tx: Tx, move: TargetedMove, beginning: Beginning): void {
  const earliest = beginning.isInTime ? null : earliestToMove(tx, move);
  if (earliest === null) return;
  if (!isSmall(tx, move)) {
    throw inSlicesFirst(function* () {
      yield* checkTimeLimit(tx, move, earliest);
      beginning.isInTime = true;
    });
  }
  runSync(checkTimeLimit(tx, move, earliest));
}

function rewrite(tx: Tx, row: MessageRow, content: string): Attachment[] {
  keepPast(tx, row.id, [row.id], { rewritten: row.id, topic: null, channel: null });
  const { changed, detached } = changeContent(tx, row, content);
  emitContentChanged(tx, row, changed);
  return detached;
}
