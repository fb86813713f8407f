import { z } from "zod";
import { userHooks } from "@/foundation/users/hooks.ts";
import { user, userId } from "@/foundation/users/schema.ts";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { runInSlices } from "@/kernel/lib/tasks.ts";
import {
  createUser,
  deactivateSelf,
  noteFirstLogin,
  reactivateUser,
  rotateKey,
  updateUser,
  updateUserByEmail,
} from "./actions.ts";
import { getOwnUser, getUser, getUserByEmail, listEveryone, listUsers, usersState } from "./queries.ts";
import { newPerson, personPatch, personPatchByEmail } from "./schema.ts";

const view = {
  client_gravatar: z.boolean().default(true),
  include_custom_profile_fields: z.boolean().default(false),
};

export default domain({
  name: "users",
  about: "adding, changing and deactivating people and bots; the list of users",
  hooks: [userHooks.signedIn.register(noteFirstLogin)],
  state: {
    realm_user: forSpectators(earlyInSteps(usersState)),
  },
  endpoints: [
    endpoint("get-users", {
      about:
        "Lists the people and bots the caller may know. The answer has an ETag; with `If-None-Match`, an unchanged answer is not sent again.",
      method: "GET",
      path: "/users",
      auth: "public",
      params: { ...view, user_ids: z.array(userId).optional() },
      returns: { members: z.array(user) },
      run: async (ctx, { user_ids, ...view }) => ({
        members: user_ids
          ? listUsers(ctx, { ...view, user_ids })
          : await runInSlices(listEveryone(ctx, view)),
      }),
    }),
    endpoint("create-user", {
      about:
        "Creates a user with a password, without an invitation. Needs the permission to create users. `date_joined` becomes that of the first login.",
      method: "POST",
      path: "/users",
      params: newPerson.omit({ role: true }).required().shape,
      returns: { user_id: userId },
      run: async (ctx, params) => ({
        user_id: (await createUser(ctx, { ...params, startsAtLogin: true })).user.user_id,
      }),
    }),
    endpoint("get-own-user", {
      about: "Returns the caller's own account.",
      method: "GET",
      path: "/users/me",
      returns: { user_id: userId, max_message_id: z.int() },
      run: (ctx) => getOwnUser(ctx),
    }),
    endpoint("get-user", {
      about:
        "Returns one user by ID. If the caller may not know the user, the error is that of a user that does not exist.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}",
      params: { ...view, user_id: userId },
      returns: { user },
      run: (ctx, params) => ({ user: getUser(ctx, params) }),
    }),
    endpoint("get-user-by-email", {
      about: "Returns one user by e-mail address.",
      method: "GET",
      path: "/users/{email:[^/]+(?:@|%40)[^/]+}",
      params: { ...view, email: z.string() },
      returns: { user },
      run: (ctx, params) => ({ user: getUserByEmail(ctx, params) }),
    }),
    endpoint("update-user", {
      about:
        "Changes another user's name, role, address or profile. Administrators only; only owners can change owners.",
      method: "PATCH",
      path: "/users/{user_id:[0-9]+}",
      params: personPatch.shape,
      run: (ctx, params) => updateUser(ctx, params),
    }),
    endpoint("update-user-by-email", {
      about: "Like `update-user`, for a user named by e-mail address.",
      method: "PATCH",
      path: "/users/{email:[^/]+(?:@|%40)[^/]+}",
      params: personPatchByEmail.shape,
      run: (ctx, params) => updateUserByEmail(ctx, params),
    }),
    endpoint("deactivate-own-user", {
      about: "Deactivates the caller's own account. The last owner cannot do this.",
      method: "DELETE",
      path: "/users/me",
      run: (ctx) => deactivateSelf(ctx),
    }),
    endpoint("reactivate-user", {
      about: "Reactivates a user with the role they had. Administrators only.",
      method: "POST",
      path: "/users/{user_id:[0-9]+}/reactivate",
      params: { user_id: userId },
      run: async (ctx, { user_id }) => {
        await reactivateUser(ctx, user_id);
      },
    }),
    endpoint("post-users-me-api-key-regenerate", {
      about: "Replaces the caller's API keys by a new one, which is returned only here.",
      method: "POST",
      path: "/users/me/api_key/regenerate",
      returns: { api_key: z.string() },
      run: async (ctx) => ({ api_key: (await rotateKey(ctx, ctx.actor.id)).api_key }),
    }),
  ],
});
