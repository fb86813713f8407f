import { z } from "zod";
import { setting, settings } from "@/kernel/store/settings.ts";

/** Work on a topic that takes several transactions, of which some are still to come. */
export interface TopicWork {
  id: number;
  kind: "move" | "deletion";
  /** Who began it, with which client: the rest is done in their name. */
  user_id: number;
  client: string;
  conversation_id: number;
  topic: string;
  /** Where messages move to; of a deletion, the same topic again. */
  to_conversation_id: number;
  to_topic: string;
  /** Whether the user could read all messages of the topic when it began. */
  reads_all: 0 | 1;
  /** The message that was done last. A move goes on with higher IDs, a deletion with lower ones. */
  last_id: number;
  /** How many messages a deletion has removed. */
  removed: number;
  /** Whether others wrote any of the messages so far. */
  concerns_others: 0 | 1;
}

export type DoneWork = Pick<TopicWork, "removed" | "concerns_others">;

export interface TopicAt {
  conversationId: number;
  topic: string;
}

const fault = z.object({
  work_id: z.int(),
  /** The message that was done last when it first failed. */
  last_id: z.int(),
  /** UNIX seconds. */
  since: z.int(),
  reason: z.string(),
});
export type Fault = z.infer<typeof fault>;

/** For the doctor, which may run while the server does not. */
export const topicWorkSettings = settings("topic_work", {
  faults: setting(z.array(fault), [], "Moves and deletions that do not go on, since when, and why"),
});
