import type { MessageEvents } from "./messages.ts";
import type { StateNoun } from "./noun.ts";
import { union, without } from "./records.ts";

interface Starred {
  starred_messages: readonly number[];
}

export const starred: StateNoun<Starred, Starred, MessageEvents> = {
  takes: ["starred_messages"],
  initial: ({ starred_messages }) => ({ starred_messages }),
  reducers: {
    "update_message_flags/add": (state, { flag, messages }) =>
      flag === "starred" ? { ...state, starred_messages: union(state.starred_messages, messages) } : state,
    "update_message_flags/remove": (state, { flag, messages }) =>
      flag === "starred" ? { ...state, starred_messages: without(state.starred_messages, messages) } : state,
    delete_message: (state, { message_id, message_ids = [message_id ?? 0] }) => ({
      ...state,
      starred_messages: without(state.starred_messages, message_ids),
    }),
  },
};
