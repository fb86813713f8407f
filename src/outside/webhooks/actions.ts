import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import * as store from "./store.ts";

/** Makes a call that waits due at once; the server tries it again within a second or two. */
export const tryCallNow = action(allow.admin, (tx, id: number): void => {
  if (!store.findCall(tx, id)) fail("MISSING", "This call is not waiting any more.");
  store.setDue(tx, id, tx.now);
});

/** Deletes a waiting call: the bot never gets the message. */
export const discardCall = action(allow.admin, (tx, id: number): void => {
  const call = store.findCall(tx, id) ?? fail("MISSING", "This call is not waiting any more.");
  store.deleteCall(tx, id);
  const bot = userFor(tx, call.bot_id);
  recordAudit(tx, {
    event: "webhook_call_discarded",
    about: { kind: "webhook", id, name: bot.full_name },
    personId: bot.bot_owner_id,
    data: { message: call.message_id },
  });
});
