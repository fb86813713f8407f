import { z } from "zod";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { runInSlices } from "@/kernel/lib/tasks.ts";
import { uploadHooks } from "@/messaging/uploads/hooks.ts";
import { isInScheduled } from "./access.ts";
import { deleteScheduledMessage, editScheduledMessage, scheduleMessage } from "./actions.ts";
import { deliverScheduledMessages } from "./delivery.ts";
import { listScheduled } from "./queries.ts";
import {
  newScheduledMessage,
  scheduledMessage,
  scheduledMessageId,
  scheduledMessagePatch,
} from "./schema.ts";
import { nextDue } from "./store.ts";

export default domain({
  name: "scheduled-messages",
  about: "messages that wait for their time, and their delivery",
  hooks: [uploadHooks.isToBeSent.register((ctx, { ownerId, folder }) => isInScheduled(ctx, ownerId, folder))],
  state: {
    scheduled_messages: forSpectators(
      earlyInSteps(
        function* (ctx) {
          return { scheduled_messages: yield* listScheduled(ctx) };
        },
        ["scheduled_messages", "users"],
      ),
      { scheduled_messages: [] },
    ),
  },
  endpoints: [
    endpoint("get-scheduled-messages", {
      about: "Lists the caller's scheduled messages, the next to be sent first.",
      method: "GET",
      path: "/scheduled_messages",
      returns: { scheduled_messages: z.array(scheduledMessage) },
      run: async (ctx) => ({ scheduled_messages: await runInSlices(listScheduled(ctx)) }),
    }),
    endpoint("create-scheduled-message", {
      about: "Schedules a message that the caller could send now for a time in the future.",
      method: "POST",
      path: "/scheduled_messages",
      params: newScheduledMessage.shape,
      returns: { scheduled_message_id: scheduledMessageId },
      keeps: "results",
      run: async (ctx, params) => ({ scheduled_message_id: await scheduleMessage(ctx, params) }),
    }),
    endpoint("update-scheduled-message", {
      about:
        "Changes the content, recipients or time of a scheduled message. One whose delivery failed is tried again at its new time.",
      method: "PATCH",
      path: "/scheduled_messages/{scheduled_message_id:[0-9]+}",
      params: scheduledMessagePatch.shape,
      run: (ctx, params) => editScheduledMessage(ctx, params),
    }),
    endpoint("delete-scheduled-message", {
      about: "Deletes a scheduled message.",
      method: "DELETE",
      path: "/scheduled_messages/{scheduled_message_id:[0-9]+}",
      params: { scheduled_message_id: scheduledMessageId },
      run: (ctx, params) => deleteScheduledMessage(ctx, params.scheduled_message_id),
    }),
  ],
  jobs: [{ name: "deliver-scheduled-messages", everySeconds: 1, run: deliverScheduledMessages, nextDue }],
});
