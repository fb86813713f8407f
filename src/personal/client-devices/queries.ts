import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { blankDevice } from "./schema.ts";
import * as store from "./store.ts";

/** The `device` section of the initial state. */
export const devicesState = query(allow.user, (ctx) => ({
  devices: Object.fromEntries(store.listDevices(ctx, me(ctx).id).map((id) => [String(id), blankDevice])),
}));
