import type { Place } from "./message-shape.ts";
import { directPlace, placeKey } from "./places.ts";
import type { Reducers, State } from "./shape.ts";

interface Typing {
  message_type: "direct" | "stream";
  sender: { user_id: number };
  recipients?: { user_id: number }[];
  stream_id?: number;
  topic?: string;
  /** Added on arrival: Unix milliseconds. */
  received?: number;
}

function placeOf(
  { message_type, recipients = [], sender, stream_id = 0, topic = "" }: Typing,
  self: number,
): Place {
  if (message_type === "stream") return { stream_id, topic };
  return directPlace([...recipients.map(({ user_id }) => user_id), sender.user_id], self);
}

function stopped(state: State, event: Typing): State["typing"] {
  const place = placeKey(placeOf(event, state.self.user_id));
  return state.typing.filter((one) => one.user_id !== event.sender.user_id || one.place !== place);
}

export const typing: Reducers = {
  "typing/start": (state, event: Typing) => {
    if (event.sender.user_id === state.self.user_id) return state;
    const { sender, received = 0 } = event;
    const place = placeKey(placeOf(event, state.self.user_id));
    return {
      ...state,
      typing: [...stopped(state, event), { user_id: sender.user_id, place, since: received }],
    };
  },
  /** Removes people whose last notice is older than a time. */
  "client/expire": (state, { before }: { before: number }) => ({
    ...state,
    typing: state.typing.filter(({ since }) => since >= before),
  }),
  "typing/stop": (state, event: Typing) => ({ ...state, typing: stopped(state, event) }),
  // Views show who is writing, not who is editing.
  "typing_edit_message/start": (state) => state,
  "typing_edit_message/stop": (state) => state,
  /** The sender of a message has stopped typing. */
  message: (state, { message }: { message: { sender_id: number } }) =>
    state.typing.some((one) => one.user_id === message.sender_id)
      ? { ...state, typing: state.typing.filter((one) => one.user_id !== message.sender_id) }
      : state,
};
