import { z } from "zod";
import { oneFile, theFile } from "@/foundation/files/incoming.ts";
import { pictureAnswer, pictureName } from "@/foundation/files/kept-pictures.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { deleteAvatar, setAvatar } from "./actions.ts";
import { identiconAnswer, identiconName } from "./identicons.ts";
import { avatarAddress } from "./queries.ts";

export default domain({
  name: "avatars",
  about: "pictures of users, uploaded or generated",
  endpoints: [
    endpoint("post-users-me-avatar", {
      about: "Sets the caller's picture from an uploaded file.",
      method: "POST",
      path: "/users/me/avatar",
      body: oneFile(() => ({ maxMib: limits.max_avatar_file_size_mib })),
      returns: { avatar_url: z.string() },
      run: async (ctx, _, { files }) => {
        return { avatar_url: await setAvatar(ctx, { user_id: ctx.actor.id, received: theFile(files) }) };
      },
    }),
    endpoint("delete-users-me-avatar", {
      about: "Removes the caller's picture; the generated one is shown again.",
      method: "DELETE",
      path: "/users/me/avatar",
      returns: { avatar_url: z.string() },
      run: async (ctx) => ({ avatar_url: await deleteAvatar(ctx, ctx.actor.id) }),
    }),
    endpoint("get-avatar-picture", {
      about: "Returns the picture that a user uploaded.",
      method: "GET",
      path: `/user_avatars/{realm:[0-9]+}/{picture:${pictureName}}`,
      root: true,
      auth: "none",
      params: { realm: z.string(), picture: z.string() },
      run: (ctx, { picture }, request) => pictureAnswer(ctx, picture, request),
    }),
    endpoint("get-avatar", {
      about: "Redirects to the picture of a user named by ID or address.",
      method: "GET",
      path: "/avatar/{user:[^/]+}",
      root: true,
      auth: "public",
      params: { user: z.string() },
      run: (ctx, params) => avatarAddress(ctx, { named: params.user, size: "" }),
    }),
    endpoint("get-medium-avatar", {
      about: "Like `get-avatar`, for the larger version of the picture.",
      method: "GET",
      path: "/avatar/{user:[^/]+}/medium",
      root: true,
      auth: "public",
      params: { user: z.string() },
      run: (ctx, params) => avatarAddress(ctx, { named: params.user, size: "-medium" }),
    }),
    endpoint("get-identicon", {
      about: "Returns the generated picture of a user who has uploaded none.",
      method: "GET",
      path: `/user_avatars/identicon/{picture:${identiconName}}`,
      root: true,
      auth: "none",
      params: { picture: z.string() },
      run: (_, { picture }) => identiconAnswer(picture),
    }),
  ],
});
