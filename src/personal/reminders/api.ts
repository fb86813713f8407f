import { z } from "zod";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { runInSlices } from "@/kernel/lib/tasks.ts";
import { oneAtATime } from "@/kernel/store/per-app.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { sendingHooks } from "@/messaging/sending/hooks.ts";
import { createReminder, deleteReminder, deliverReminders, outdate, renewReminders } from "./actions.ts";
import { listReminders, listRemindersAtOnce } from "./queries.ts";
import { newReminder, reminder, reminderId } from "./schema.ts";
import { findStale, nextDue } from "./store.ts";

export default domain({
  name: "reminders",
  about: "messages a person wants to be reminded of",
  hooks: [
    messageHooks.removed.register(outdate),
    sendingHooks.edited.register((tx, { row }) => outdate(tx, [row.id])),
    sendingHooks.reworded.register(outdate),
  ],
  state: {
    reminders: forSpectators(
      earlyInSteps(
        function* (ctx) {
          return { reminders: yield* listReminders(ctx) };
        },
        ["reminders", "stale_reminders", "users"],
        (ctx) => ({ reminders: listRemindersAtOnce(ctx) }),
      ),
      { reminders: [] },
    ),
  },
  endpoints: [
    endpoint("get-reminders", {
      about: "Lists the caller's reminders that are not delivered yet.",
      method: "GET",
      path: "/reminders",
      returns: { reminders: z.array(reminder) },
      run: async (ctx) => ({ reminders: await runInSlices(listReminders(ctx)) }),
    }),
    endpoint("create-message-reminder", {
      about: "Has the notification bot remind the caller of a message at a later time.",
      method: "POST",
      path: "/reminders",
      params: newReminder.shape,
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
  jobs: [
    { name: "deliver-reminders", everySeconds: 1, run: deliverReminders, nextDue },
    {
      name: "renew-reminders",
      everySeconds: 1,
      run: oneAtATime(renewReminders),
      nextDue: (reads) => (findStale(reads) ? 0 : Number.POSITIVE_INFINITY),
    },
  ],
});
