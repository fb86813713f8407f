import { z } from "zod";
import { farewell, userId } from "@/foundation/users/schema.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { deactivateWith, deleteMessagesOf, eraseUser } from "./actions.ts";
import { countSent, findDeletion, previewErasure } from "./queries.ts";
import { resuming } from "./running.ts";
import { deletion, erasing, erasurePreview, farewellActions, sentThings } from "./schema.ts";

export default domain({
  name: "erasing",
  about: "erases people, and deletes all that an account has sent",
  jobs: [resuming],
  endpoints: [
    endpoint("deactivate-user", {
      about:
        "Deactivates a user: their keys and queues end, their bots are deactivated, their messages stay. With `actions`, an object of booleans, messages of the user and their bots are deleted, and name and picture go; what takes long goes on after the answer. Administrators only.",
      method: "DELETE",
      path: "/users/{user_id:[0-9]+}",
      params: {
        user_id: userId,
        deactivation_notification_comment: farewell.optional(),
        actions: farewellActions.default(() => farewellActions.parse({})),
      },
      run: (ctx, { user_id, deactivation_notification_comment: comment, actions }) =>
        deactivateWith(ctx, { user_id, comment, actions }),
    }),
    endpoint("count-sent", {
      about:
        "Counts what a user and their bots have sent, and `delete-messages-of-user` would delete. Administrators only; only owners for owners.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}/sent",
      params: { user_id: userId },
      returns: sentThings.shape,
      run: (ctx, { user_id }) => countSent(ctx, user_id),
    }),
    endpoint("delete-messages-of-user", {
      about:
        "Deletes all messages and reactions of a user and their bots for everyone, with the files that no other message links to. If that takes longer than 50 seconds, `complete` is false: the server goes on, and the client repeats the request to wait for the rest. Administrators only; only owners for owners.",
      method: "POST",
      path: "/users/{user_id:[0-9]+}/delete_messages",
      params: { user_id: userId },
      returns: { complete: z.boolean() },
      keeps: "results",
      run: (ctx, { user_id }) => deleteMessagesOf(ctx, user_id),
    }),
    endpoint("get-deletion", {
      about:
        "Returns whether a person was erased, and how far the server is with what it deletes of a user and their bots. Administrators only; only owners for owners.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}/deletion",
      params: { user_id: userId },
      returns: deletion.shape,
      run: (ctx, { user_id }) => findDeletion(ctx, user_id),
    }),
    endpoint("preview-erasure", {
      about:
        "Counts what goes when a person is erased. `messages`, `reactions` and `files` go only if the messages are deleted. `exports` are finished ones that still hold the person. Owners only.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}/erasure",
      params: { user_id: userId },
      returns: erasurePreview.shape,
      run: (ctx, { user_id }) => previewErasure(ctx, user_id),
    }),
    endpoint("erase-user", {
      about:
        'Erases a person: name, address, picture, profile, status, drafts, settings, keys and sessions go, and the account is deactivated for ever, as "Deleted user". With `messages` = `delete`, what they and their bots sent goes, too. If that takes longer than 50 seconds, `complete` is false: the server goes on, and the client repeats the request to wait for the rest. Owners only, and not for oneself.',
      method: "POST",
      path: "/users/{user_id:[0-9]+}/erase",
      params: erasing.shape,
      returns: { complete: z.boolean() },
      keeps: "results",
      run: (ctx, params) => eraseUser(ctx, params),
    }),
  ],
});
