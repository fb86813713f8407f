import type * as schema from "@/messaging/muted-users/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";

interface MutedUsers {
  muted_users: readonly schema.MutedUser[];
}

export const mutedUsers: StateNoun<MutedUsers, MutedUsers, EventsOf<typeof schema>> = {
  takes: ["muted_users"],
  initial: ({ muted_users }) => ({ muted_users }),
  reducers: {
    muted_users: (state, { muted_users }) => ({ ...state, muted_users }),
  },
};
