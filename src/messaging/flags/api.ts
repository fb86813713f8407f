import { z } from "zod";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { messageId } from "@/messaging/messages/schema.ts";
import { narrowParam } from "@/messaging/narrows/narrow.ts";
import { forgetFlags } from "@/messaging/receipts/actions-marks.ts";
import { emitUnreadReturned, startReceiving, stopReceiving } from "@/messaging/receipts/actions-reception.ts";
import { flagOp } from "@/messaging/receipts/schema.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { subscriptionHooks } from "@/places/subscriptions/hooks.ts";
import {
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  updateFlags,
  updateFlagsInNarrow,
} from "./actions.ts";
import { emitStars } from "./actions-stars.ts";
import { getReadReceipts, starredState } from "./queries.ts";
import { lookUpStars } from "./star-lookups.ts";
import { unreadOfSpectators, unreadState } from "./unread-state.ts";

const notSubscribed = "ignored_because_not_subscribed_channels";
const wantsIgnored = ({ op, flag }: { op: string; flag: string }) => op === "remove" && flag === "read";

export default domain({
  name: "receipts",
  about: "what is read, starred and unread",
  hooks: [
    subscriptionHooks.started.register(startReceiving),
    subscriptionHooks.ended.register(stopReceiving),
    messageHooks.removed.register(forgetFlags),
    channelHooks.accessMayChange.register(lookUpStars),
    channelHooks.accessChanged.register(emitStars),
    channelHooks.returned.register(emitUnreadReturned),
  ],
  state: {
    update_message_flags: forSpectators(earlyInSteps(unreadState), unreadOfSpectators),
    starred_messages: forSpectators(starredState, { starred_messages: [] }),
  },
  endpoints: [
    endpoint("get-read-receipts", {
      about:
        "Lists the users who have read a message. Leaves out users who do not share read receipts, who have muted the caller, or who are muted by the caller.",
      method: "GET",
      path: "/messages/{message_id:[0-9]+}/read_receipts",
      params: { message_id: messageId },
      returns: { user_ids: z.array(z.int()) },
      run: (ctx, { message_id }) => ({ user_ids: getReadReceipts(ctx, message_id) }),
    }),
    endpoint("update-message-flags", {
      about:
        "Adds or removes a personal flag, such as `read` or `starred`, on messages. If the caller may not read one of them, nothing changes.",
      method: "POST",
      path: "/messages/flags",
      params: { messages: z.array(messageId), op: flagOp, flag: z.string() },
      returns: { messages: z.array(messageId), [notSubscribed]: z.array(z.int()).optional() },
      keeps: "results",
      run: async (ctx, params) => {
        const { messages, ignored } = await updateFlags(ctx, params);
        return { messages, ...(wantsIgnored(params) ? { [notSubscribed]: ignored } : {}) };
      },
    }),
    endpoint("update-message-flags-for-narrow", {
      about:
        "Adds or removes a personal flag on the messages of a narrow around an anchor, a limited number at a time. The answer tells which range was processed.",
      method: "POST",
      path: "/messages/flags/narrow",
      params: {
        anchor: z.string(),
        include_anchor: z.boolean().default(true),
        num_before: z.int().min(0),
        num_after: z.int().min(0),
        narrow: narrowParam,
        op: flagOp,
        flag: z.string(),
      },
      returns: { processed_count: z.int(), updated_count: z.int() },
      keeps: "results",
      run: async (ctx, { op, flag, ...where }) => {
        const { ignored, ...counts } = await updateFlagsInNarrow(ctx, { op, flag, where });
        return { ...counts, ...(wantsIgnored({ op, flag }) ? { [notSubscribed]: ignored } : {}) };
      },
    }),
    endpoint("mark-all-as-read", {
      about:
        "Marks all of the caller's messages as read. Deprecated: clients use `update-message-flags-for-narrow`.",
      method: "POST",
      path: "/mark_all_as_read",
      returns: { complete: z.boolean() },
      keeps: "results",
      run: async (ctx) => {
        await markAllAsRead(ctx);
        return { complete: true };
      },
    }),
    endpoint("mark-stream-as-read", {
      about:
        "Marks the messages of a channel as read. Deprecated: clients use `update-message-flags-for-narrow`.",
      method: "POST",
      path: "/mark_stream_as_read",
      params: { stream_id: z.int() },
      run: (ctx, params) => markChannelAsRead(ctx, params.stream_id),
    }),
    endpoint("mark-topic-as-read", {
      about:
        "Marks the messages of a topic as read. Deprecated: clients use `update-message-flags-for-narrow`.",
      method: "POST",
      path: "/mark_topic_as_read",
      params: { stream_id: z.int(), topic_name: z.string() },
      run: (ctx, params) => markTopicAsRead(ctx, { channel_id: params.stream_id, topic: params.topic_name }),
    }),
  ],
});
