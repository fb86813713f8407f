import { settingsHooks } from "@/foundation/user-settings/hooks.ts";
import { userId } from "@/foundation/users/schema.ts";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { emitAway, updateOwnStatus, updateStatusOf } from "./actions.ts";
import { getUserStatus, statusState } from "./queries.ts";
import { ownStatusPatch, statusPatch, userStatus } from "./schema.ts";

export default domain({
  name: "user-status",
  about: "the status people set for themselves",
  hooks: [settingsHooks.changed.register(emitAway)],
  state: { user_status: forSpectators(statusState, { user_status: {} }) },
  endpoints: [
    endpoint("update-status", {
      about: "Sets or clears the caller's status text and emoji.",
      method: "POST",
      path: "/users/me/status",
      params: ownStatusPatch.shape,
      run: (ctx, params) => updateOwnStatus(ctx, params),
    }),
    endpoint("get-user-status", {
      about: "Returns a user's status text and emoji.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}/status",
      params: { user_id: userId },
      returns: { status: userStatus },
      run: (ctx, params) => ({ status: getUserStatus(ctx, params.user_id) }),
    }),
    endpoint("update-status-for-user", {
      about: "Sets or clears another user's status. Administrators only.",
      method: "POST",
      path: "/users/{user_id:[0-9]+}/status",
      params: statusPatch.shape,
      run: (ctx, params) => updateStatusOf(ctx, params),
    }),
  ],
});
