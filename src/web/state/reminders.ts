import type * as schema from "@/personal/reminders/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { byKey, withDropped, withPut } from "./records.ts";

interface Reminders {
  reminders: Record<number, schema.Reminder>;
}

export const reminders: StateNoun<{ reminders: schema.Reminder[] }, Reminders, EventsOf<typeof schema>> = {
  takes: ["reminders"],
  initial: ({ reminders }) => ({ reminders: byKey(reminders, "reminder_id") }),
  reducers: {
    "reminders/add": (state, { reminders }) => withPut(state, "reminders", "reminder_id", reminders),
    "reminders/remove": (state, { reminder_id }) => withDropped(state, "reminders", reminder_id),
  },
};
