import { z } from "zod";
import { userId } from "@/foundation/users/schema.ts";
import { event, type Traits } from "@/kernel/core/events.ts";
import { messageId } from "@/messaging/messages/schema.ts";
import { displayTopic } from "@/places/topics/schema.ts";

export const typingOp = z.enum(["start", "stop"], { error: "The op must be 'start' or 'stop'." });
export type TypingOp = z.infer<typeof typingOp>;

/** No typing notifications in larger channels: nobody would read them. */
export const maxSubscribers = 100;

const person = z.object({ user_id: userId, email: z.string() });
export type TypingPerson = z.infer<typeof person>;

/** Where somebody types: to a set of people, or in a topic of a channel. */
export type TypingTarget<P> = { people: readonly P[] } | { channel_id: number; topic: string };

// Wire: clients that do not know typing in channels take every typing event for a direct conversation.
const variant = ({ capabilities }: Traits) =>
  `${capabilities.has("stream_typing_notifications")},${capabilities.has("empty_topic_name")}`;

const isKnown = (target: TypingTarget<unknown>, { capabilities }: Traits) =>
  "people" in target || capabilities.has("stream_typing_notifications");

const topicFor = (topic: string, { capabilities }: Traits) =>
  displayTopic(topic, capabilities.has("empty_topic_name"));

export interface Typing {
  sender: TypingPerson;
  target: TypingTarget<TypingPerson>;
}

const verbs = { start: "started", stop: "stopped" } as const;

const typing = <const Op extends TypingOp>(op: Op) =>
  event("typing", {
    about: `Somebody has ${verbs[op]} typing.`,
    op,
    isFleeting: true,
    schema: z.object({
      message_type: z.enum(["direct", "stream"]),
      sender: person,
      recipients: z.array(person).optional(),
      stream_id: z.int().optional(),
      topic: z.string().optional(),
    }),
    variant,
    shape: ({ sender, target }: Typing, queue) => {
      if (!isKnown(target, queue)) return null;
      if ("people" in target) return { message_type: "direct", sender, recipients: target.people } as const;
      const { channel_id: stream_id, topic } = target;
      return { message_type: "stream", sender, stream_id, topic: topicFor(topic, queue) } as const;
    },
  });

export interface EditTyping {
  sender_id: number;
  message_id: number;
  target: TypingTarget<number>;
}

const editTyping = <const Op extends TypingOp>(op: Op) =>
  event("typing_edit_message", {
    about: `Somebody has ${verbs[op]} editing a message.`,
    op,
    isFleeting: true,
    schema: z.object({
      sender_id: userId,
      message_id: messageId,
      recipient: z.union([
        z.object({ type: z.literal("direct"), user_ids: z.array(userId) }),
        z.object({ type: z.literal("channel"), channel_id: z.int(), topic: z.string() }),
      ]),
    }),
    variant,
    shape: ({ target, ...message }: EditTyping, queue) => {
      if (!isKnown(target, queue)) return null;
      if ("people" in target)
        return { ...message, recipient: { type: "direct", user_ids: target.people } } as const;
      const { channel_id, topic } = target;
      return {
        ...message,
        recipient: { type: "channel", channel_id, topic: topicFor(topic, queue) },
      } as const;
    },
  });

export const typingEvents = { start: typing("start"), stop: typing("stop") };
export const editTypingEvents = { start: editTyping("start"), stop: editTyping("stop") };
