import { allow, me } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { deviceAdded, deviceRemoved, maxDevices } from "./schema.ts";
import * as store from "./store.ts";

/** Registers a device of the actor's; returns its ID. */
export const registerDevice = action(allow.user, (tx): number => {
  const user = me(tx).id;
  const known = store.listDevices(tx, user);
  for (const id of known.slice(0, Math.max(0, known.length + 1 - maxDevices))) remove(tx, id);
  const device_id = store.insertDevice(tx, user);
  tx.emit(deviceAdded, to(user), { device_id });
  return device_id;
});

/** Removes a device of the actor's. */
export const removeDevice = action(allow.user, (tx, id: number): void => {
  if (!store.listDevices(tx, me(tx).id).includes(id)) fail("BAD_REQUEST", "Invalid device ID");
  remove(tx, id);
});

function remove(tx: Tx, id: number): void {
  store.deleteDevice(tx, id);
  tx.emit(deviceRemoved, to(me(tx).id), { device_id: id });
}
