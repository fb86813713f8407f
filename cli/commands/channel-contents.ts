// Subscribers and topics of a channel: verbs of the noun `channel`.

import { z } from "zod";
import { listUsers } from "@/foundation/accounts/queries.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { deleteTopic } from "@/messaging/bulk-deletion/actions.ts";
import { countTopic } from "@/messaging/bulk-deletion/queries.ts";
import { listTopics } from "@/messaging/message-pages/queries.ts";
import { listSubscribers } from "@/places/channel-administration/queries.ts";
import { activeAccount, activeAccountShape, stateOf } from "../accounts.ts";
import { operand } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { table } from "../output.ts";
import { channelIdOf } from "../values.ts";

const named = operand("CHANNEL", z.string().min(1), "the channel's name or ID");
const topicShape = z.object({ topic: z.string(), newest_message_id: z.int() });
const topicText = (topic: string) => (topic === "" ? "general chat" : topic);

export default [
  command({
    name: "channel subscribers",
    isUnaudited: true,
    summary: "List who is subscribed to a channel",
    examples: ["confab channel subscribers design", "confab channel subscribers design --json | jq length"],
    args: { channel: named },
    result: z.array(activeAccountShape),
    run: (ctx, { channel }) => {
      const user_ids = listSubscribers(ctx, channelIdOf(ctx, channel));
      return listUsers(ctx, { user_ids }).map(activeAccount);
    },
    print: (people) =>
      table(
        ["ID", "EMAIL", "NAME", "ROLE", "STATE"],
        people.map((one) => [String(one.user_id), one.email, one.full_name, one.role, stateOf(one)]),
      ),
  }),

  command({
    name: "channel topics",
    isUnaudited: true,
    summary: "List the topics of a channel, the latest first",
    examples: ["confab channel topics design"],
    args: { channel: named },
    result: z.array(topicShape),
    run: (ctx, { channel }) =>
      listTopics(ctx, { channel_id: channelIdOf(ctx, channel), allow_empty_topic_name: true }).map(
        ({ name, max_id }) => ({ topic: name, newest_message_id: max_id }),
      ),
    print: (topics) =>
      table(
        ["TOPIC", "NEWEST MESSAGE"],
        topics.map(({ topic, newest_message_id }) => [topicText(topic), String(newest_message_id)]),
      ),
  }),

  command({
    name: "channel delete-topic",
    summary: "Delete a topic, with all its messages, for everyone",
    examples: ["confab channel delete-topic design colours --yes"],
    args: { channel: named, topic: operand("TOPIC", z.string(), "the topic; '' for general chat"), yes },
    result: z.object({ channel: z.string(), topic: z.string() }),
    run: async (ctx, { channel, topic, yes }) => {
      const channel_id = channelIdOf(ctx, channel);
      const topics = listTopics(ctx, { channel_id, allow_empty_topic_name: true });
      if (!topics.some(({ name }) => name.toLowerCase() === topic.toLowerCase())) {
        fail("BAD_REQUEST", `There is no topic '${topicText(topic)}' in ${channel}.`);
      }
      if (!yes) {
        const count = [await countTopic(ctx, { channel_id, topic }), "message"] as const;
        await confirm(
          { does: "deletes", count, of: `of #${channel} > ${topicText(topic)} for everyone` },
          yes,
        );
      }
      let complete = false;
      while (!complete) ({ complete } = await deleteTopic(ctx, { channel_id, topic }));
      return { channel, topic };
    },
    print: ({ channel, topic }) => `Deleted #${channel} > ${topicText(topic)}.`,
  }),
];
