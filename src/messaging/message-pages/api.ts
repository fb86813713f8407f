import { z } from "zod";
import { userHooks } from "@/foundation/users/hooks.ts";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { match, message, messageId } from "@/messaging/messages/schema.ts";
import { narrowParam } from "@/messaging/narrows/narrow.ts";
import {
  answerMessages,
  getMessage,
  listTopics,
  matchesNarrow,
  newestReceived,
  newestState,
  recentConversationsState,
} from "./queries.ts";

const count = z.int().min(0).default(0);

export default domain({
  name: "message-pages",
  about: "which messages a window holds, in which order, and how to find them",
  hooks: [userHooks.newestMessage.register(newestReceived)],
  state: {
    message: forSpectators(earlyInSteps(newestState), { max_message_id: 0 }),
    recent_private_conversations: forSpectators(recentConversationsState, {
      recent_private_conversations: [],
    }),
  },
  endpoints: [
    endpoint("get-messages", {
      about:
        "Returns a page of messages of a narrow around an anchor, as far as the caller may read them. The anchor is the ID of a message, or `newest`, `oldest`, `first_unread` or `date`. With `date`, it is the first message at or after `anchor_date`, or the newest one if none is that late. `anchor_date` is a day or a time in ISO 8601, in UTC unless it names a zone. If the text is too large for one answer (16 MB), or a search takes more than a second of CPU, leaves out the messages farthest from the anchor and reports that more exist.",
      method: "GET",
      path: "/messages",
      auth: "public",
      params: {
        anchor: z.string().optional(),
        anchor_date: z.string().max(40).optional(),
        include_anchor: z.boolean().default(true),
        num_before: count,
        num_after: count,
        narrow: narrowParam.default([]),
        message_ids: z.array(messageId).optional(),
        client_gravatar: z.boolean().default(true),
        apply_markdown: z.boolean().default(true),
        allow_empty_topic_name: z.boolean().default(false),
        use_first_unread_anchor: z.boolean().default(false),
      },
      returns: {
        messages: z.array(message),
        anchor: z.number().optional(),
        found_anchor: z.boolean(),
        found_oldest: z.boolean(),
        found_newest: z.boolean(),
        history_limited: z.boolean(),
      },
      run: (ctx, params) => answerMessages(ctx, params),
    }),
    endpoint("check-messages-match-narrow", {
      about: "Returns which of the given messages match a narrow, with the search's words highlighted.",
      method: "GET",
      path: "/messages/matches_narrow",
      params: { msg_ids: z.array(messageId), narrow: narrowParam },
      returns: { messages: z.record(z.string(), match) },
      run: (ctx, params) => matchesNarrow(ctx, params),
    }),
    endpoint("get-message", {
      about:
        "Returns one message. If the caller may not read it, the error is that of a message that does not exist.",
      method: "GET",
      path: "/messages/{message_id:[0-9]+}",
      auth: "public",
      params: {
        message_id: messageId,
        apply_markdown: z.boolean().default(true),
        allow_empty_topic_name: z.boolean().default(false),
      },
      returns: { message, raw_content: z.string() },
      run: (ctx, params) => getMessage(ctx, params),
    }),
    endpoint("get-stream-topics", {
      about: "Lists the topics of a channel with the ID of the newest message in each, newest first.",
      method: "GET",
      path: "/users/me/{stream_id:[0-9]+}/topics",
      auth: "public",
      params: { stream_id: z.int(), allow_empty_topic_name: z.boolean().default(false) },
      returns: { topics: z.array(z.object({ name: z.string(), max_id: messageId })) },
      run: (ctx, { stream_id, ...params }) => ({
        topics: listTopics(ctx, { channel_id: stream_id, ...params }),
      }),
    }),
  ],
});
