import { z } from "zod";
import { settingsHooks } from "@/foundation/user-settings/hooks.ts";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { hidePresence, reportPresence, savePresences } from "./actions.ts";
import { getUserPresence, listPresences, presenceState } from "./queries.ts";
import { presenceReport, presenceStatus, presences } from "./schema.ts";
import { askForPresences, receiveSigns, receiveUpdates } from "./sharing.ts";

export default domain({
  name: "presence",
  about: "who is online, kept in memory; who was online lately",
  hooks: [settingsHooks.changed.register(hidePresence), receiveSigns, receiveUpdates],
  prepare: askForPresences,
  state: {
    presence: forSpectators(presenceState, ({ now }) => ({
      presences: {},
      presence_last_update_id: -1,
      server_timestamp: now,
    })),
  },
  endpoints: [
    endpoint("update-presence", {
      about: "Reports that the caller is active or idle, and returns the presence of others.",
      method: "POST",
      path: "/users/me/presence",
      isUnattended: true, // it says by itself whether somebody is there
      servedBy: "here",
      params: presenceReport.shape,
      returns: {
        presence_last_update_id: z.int(),
        server_timestamp: z.number().optional(),
        presences: presences.optional(),
      },
      run: (ctx, params) => reportPresence(ctx, params),
    }),
    endpoint("get-user-presence", {
      about: "Returns when a user was last active and last connected.",
      method: "GET",
      path: "/users/{user_id_or_email:[^/]+}/presence",
      params: { user_id_or_email: z.string() },
      returns: {
        presence: z.record(z.string(), z.object({ status: presenceStatus, timestamp: z.int() })),
      },
      run: (ctx, params) => ({ presence: getUserPresence(ctx, params.user_id_or_email) }),
    }),
    endpoint("get-presence", {
      about: "Returns the presence of all users who were online recently, in the older form by client.",
      method: "GET",
      path: "/realm/presence",
      returns: { server_timestamp: z.number(), presences },
      run: (ctx) => {
        const { server_timestamp, presences: found } = listPresences(ctx);
        return { server_timestamp, presences: found };
      },
    }),
  ],
  jobs: [{ name: "save-presence", everySeconds: 30, onEachNode: true, run: savePresences }],
});
