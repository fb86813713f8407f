import { z } from "zod";
import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { earlyInSteps } from "@/kernel/state.ts";
import { inTurns } from "@/kernel/steps.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { messageId } from "@/messaging/messages/schema.ts";
import { createReminder, deleteReminder, deliverReminders } from "./actions.ts";
import { listReminders } from "./queries.ts";
import { reminder, reminderId, reminderNote } from "./schema.ts";
import { nextDue } from "./store.ts";
import { forgetQuotations, renewQuotations } from "./tx.ts";

export default domain({
  name: "reminders",
  hooks: [
    messageHooks.removed.register(forgetQuotations),
    messageHooks.contentChanged.register(renewQuotations),
  ],
  state: {
    reminders: earlyInSteps(
      function* (ctx) {
        return { reminders: yield* listReminders(ctx) };
      },
      ["reminders", "users"],
    ),
  },
  endpoints: [
    endpoint("get-reminders", {
      about: "Lists the caller's reminders that are not delivered yet.",
      method: "GET",
      path: "/reminders",
      returns: { reminders: z.array(reminder) },
      run: async (ctx) => ({ reminders: await inTurns(listReminders(ctx)) }),
    }),
    endpoint("create-message-reminder", {
      about: "Has the notification bot remind the caller of a message at a later time.",
      method: "POST",
      path: "/reminders",
      params: {
        message_id: messageId,
        scheduled_delivery_timestamp: z.int(),
        note: reminderNote.default(""),
      },
      returns: { reminder_id: reminderId },
      keeps: "results",
      run: async (ctx, params) => ({ reminder_id: await createReminder(ctx, params) }),
    }),
    endpoint("delete-reminder", {
      about: "Deletes one of the caller's reminders.",
      method: "DELETE",
      path: "/reminders/{reminder_id:[0-9]+}",
      params: { reminder_id: reminderId },
      run: (ctx, params) => deleteReminder(ctx, params.reminder_id),
    }),
  ],
  jobs: [{ name: "deliver-reminders", everySeconds: 1, run: deliverReminders, nextDue }],
});
