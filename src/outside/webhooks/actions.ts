import { allow } from "@/foundation/permissions/access.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import * as store from "./store.ts";

/** Makes a call that waits due at once; the server tries it again within a second or two. */
export const tryCallNow = action(allow.admin, (tx, id: number): void => {
  if (!store.findCall(tx, id)) fail("MISSING", "This call is not waiting any more.");
  store.setDue(tx, id, tx.now);
});

/** Deletes a waiting call: the bot never gets the message. */
export const discardCall = action(allow.admin, (tx, id: number): void => {
  if (!store.findCall(tx, id)) fail("MISSING", "This call is not waiting any more.");
  store.deleteCall(tx, id);
});
