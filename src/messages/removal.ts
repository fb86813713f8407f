import type { Tx } from "@/kernel/context.ts";
import { forgetReactions } from "@/reactions/actions.ts";
import { forgetFlags } from "@/receipts/changes.ts";
import { forgetQuotations } from "@/reminders/actions.ts";
import { forgetSubmessages } from "@/submessages/actions.ts";
import { deleteMessages } from "./store.ts";
import { deleteEdits } from "./store-edits.ts";

/** Takes messages away with all that belongs to them: every domain that keeps something of a message is named here. */
export function removeMessages(tx: Tx, ids: readonly number[]): void {
  forgetFlags(tx, ids);
  forgetReactions(tx, ids);
  forgetSubmessages(tx, ids);
  deleteEdits(tx, ids);
  forgetQuotations(tx, ids);
  deleteMessages(tx, ids);
}
