import { userId } from "@/foundation/users/schema.ts";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { markMutedRead, muteUser, unmuteUser } from "./actions.ts";
import { listMutedUsers } from "./queries.ts";

const path = "/users/me/muted_users/{muted_user_id:[0-9]+}";
const params = { muted_user_id: userId };

export default domain({
  name: "muted-users",
  about: "muting and unmuting users, and marking those users' messages as read",
  state: { muted_users: forSpectators((ctx) => ({ muted_users: listMutedUsers(ctx) }), { muted_users: [] }) },
  jobs: [{ name: "mark-muted-read", everySeconds: 300, run: markMutedRead }],
  endpoints: [
    endpoint("mute-user", {
      about:
        "Mutes a user: from now on their messages arrive as read, and what they had written is marked as read.",
      method: "POST",
      path,
      params,
      run: (ctx, { muted_user_id }) => muteUser(ctx, muted_user_id),
    }),
    endpoint("unmute-user", {
      about: "Unmutes a user. What arrived while they were muted stays read.",
      method: "DELETE",
      path,
      params,
      run: (ctx, { muted_user_id }) => unmuteUser(ctx, muted_user_id),
    }),
  ],
});
