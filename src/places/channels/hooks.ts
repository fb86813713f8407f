import type { Ctx } from "@/kernel/context.ts";
import { provided } from "@/kernel/hooks.ts";

type Reads = Pick<Ctx, "db">;

/** What channels ask of the messages in them. */
export const channelHooks = {
  /** The oldest message of a channel; null where there is none. */
  firstMessageOf: provided<number, number | null, Reads>("channelHooks.firstMessageOf"),
  /** Whether any message of a channel has a topic, other than the empty one. */
  hasNamedTopics: provided<number, boolean, Reads>("channelHooks.hasNamedTopics"),
};
