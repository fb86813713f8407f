import { z } from "zod";
import { userId } from "@/foundation/users/schema.ts";
import { event } from "@/kernel/events.ts";

/** Somebody whom a user has muted, and when, in UNIX seconds. */
const mutedUser = z.object({ id: userId, timestamp: z.int() });
export type MutedUser = z.infer<typeof mutedUser>;

/** The whole list, whatever has changed in it. */
export const mutedUsersChanged = event<{ muted_users: MutedUser[] }>("muted_users", {
  about: "The users whom this one has muted have changed; carries all of them.",
  schema: z.object({ muted_users: z.array(mutedUser) }),
});
