import { allow } from "@/foundation/permissions/access.ts";
import { accountToOpen } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { keysOf } from "./access.ts";
import { endTheseKeys } from "./tx.ts";

interface Ending {
  user_id: number;
  /** If absent, all keys of the account end. */
  id?: number | undefined;
}

/** Ends one or all API keys of an account that the actor may open; returns how many. */
export const endKeysFor = action(allow.user, (tx, { user_id, id }: Ending): number => {
  const user = accountToOpen(tx, user_id);
  const ids = keysOf(tx, user.id).map((key) => key.id);
  if (id !== undefined && !ids.includes(id)) fail("BAD_REQUEST", "No such key");

  const ended = endTheseKeys(tx, user.id, id === undefined ? ids : [id]);
  if (user.id !== tx.actor.id) recordAccountChange(tx, user, "keys_ended", { ended });
  return ended;
});
