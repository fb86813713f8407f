import type * as schema from "@/personal/user-status/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { withEntry, withoutEntries } from "./records.ts";

interface Statuses {
  user_status: Record<number, schema.UserStatus>;
}

export const userStatus: StateNoun<Statuses, Statuses, EventsOf<typeof schema>> = {
  takes: ["user_status"],
  initial: ({ user_status }) => ({ user_status }),
  reducers: {
    user_status: (state, { user_id, type, op, id, ...change }) => {
      const status = statusAfter(state.user_status[user_id] ?? {}, change);
      const isEmpty = Object.keys(status).length === 0;
      return {
        ...state,
        user_status: isEmpty
          ? withoutEntries(state.user_status, [user_id])
          : withEntry(state.user_status, user_id, status),
      };
    },
  },
};

function statusAfter(before: schema.UserStatus, change: schema.UserStatus): schema.UserStatus {
  const status: Record<string, unknown> = { ...before, ...change };
  if (status.emoji_name === "") delete status.reaction_type;
  for (const name of Object.keys(status))
    if (status[name] === "" || status[name] === false) delete status[name];
  return status;
}
