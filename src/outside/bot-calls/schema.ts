import { z } from "zod";

/** How many calls of each bot are kept, and for how long, and how much of the reason of a failure. */
export const keeping = {
  perBot: 50,
  seconds: 86_400,
  maxReason: 300,
  maxAbout: 150,
  sweepSeconds: 3600,
} as const;

/** What became of the call of a tool. */
const received = ["sent", "repeated", "left_out", "nothing_to_say", "unknown_event", "refused"] as const;
/** What became of a call of this server. */
const made = ["answered", "silent", "retrying", "failed"] as const;

export const botCall = z.object({
  id: z.int(),
  /** UNIX seconds. */
  at: z.int(),
  /** `in`: a tool called; `out`: this server did. */
  direction: z.enum(["in", "out"]),
  /** The sender and its event, or what concerned the bot. */
  about: z.string(),
  outcome: z.enum([...received, ...made]),
  /** Why it was refused, or failed. */
  reason: z.string().nullable(),
  /** The message that was sent, or that the bot was called for. */
  message_id: z.int().nullable(),
  is_test: z.boolean(),
});
export type BotCall = z.infer<typeof botCall>;
export type CallOutcome = BotCall["outcome"];
