import type * as schema from "@/personal/scheduled-messages/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { byKey, withDropped, withPut } from "./records.ts";

interface ScheduledMessages {
  scheduled_messages: Record<number, schema.ScheduledMessage>;
}

export const scheduledMessages: StateNoun<
  { scheduled_messages: schema.ScheduledMessage[] },
  ScheduledMessages,
  EventsOf<typeof schema>
> = {
  takes: ["scheduled_messages"],
  initial: ({ scheduled_messages }) => ({
    scheduled_messages: byKey(scheduled_messages, "scheduled_message_id"),
  }),
  reducers: {
    "scheduled_messages/add": (state, { scheduled_messages }) =>
      withPut(state, "scheduled_messages", "scheduled_message_id", scheduled_messages),
    "scheduled_messages/update": (state, { scheduled_message }) =>
      withPut(state, "scheduled_messages", "scheduled_message_id", [scheduled_message]),
    "scheduled_messages/remove": (state, { scheduled_message_id }) =>
      withDropped(state, "scheduled_messages", scheduled_message_id),
  },
};
