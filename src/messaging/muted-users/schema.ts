import { z } from "zod";
import { userId } from "@/foundation/users/schema.ts";
import { event } from "@/kernel/core/events.ts";

/** A muted user, and when they were muted, in UNIX seconds. */
const mutedUser = z.object({ id: userId, timestamp: z.int() });
export type MutedUser = z.infer<typeof mutedUser>;

/** Always carries the whole list. */
export const mutedUsersChanged = event("muted_users", {
  about: "The user's list of muted users has changed. Carries all of them.",
  schema: z.object({ muted_users: z.array(mutedUser) }),
});
