import { z } from "zod";
import { setting, settings } from "@/kernel/store/settings.ts";

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
