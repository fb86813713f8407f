import type { editTypingEvents, typingEvents } from "@/personal/typing/schema.ts";
import type { MessageEvents } from "./messages.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import type { Self } from "./people.ts";
import { directPlace, type Place, type PlaceKey, placeKey } from "./places.ts";

export interface Typist {
  user_id: number;
  place: PlaceKey;
  /** Unix milliseconds, by this computer's clock. */
  since: number;
}

interface Typists {
  typing: readonly Typist[];
}

type Others = { self: Self };
/** The client adds when it arrived: Unix milliseconds. */
type Event = EventsOf<typeof typingEvents>["typing/start"] & { received?: number };

interface TypingEvents {
  "typing/start": Event;
  "typing/stop": Event;
  "client/expire": { before: number };
}

export const typing: StateNoun<
  unknown,
  Typists,
  TypingEvents & EventsOf<typeof editTypingEvents> & MessageEvents,
  Others
> = {
  takes: [],
  initial: () => ({ typing: [] }),
  reducers: {
    "typing/start": (state, event) => {
      if (event.sender.user_id === state.self.user_id) return state;
      const { sender, received = 0 } = event;
      const place = placeKey(placeOf(event, state.self.user_id));
      return {
        ...state,
        typing: [...withoutTypist(state, event), { user_id: sender.user_id, place, since: received }],
      };
    },
    /** Removes people whose last notice is older than a time. */
    "client/expire": (state, { before }) => ({
      ...state,
      typing: state.typing.filter(({ since }) => since >= before),
    }),
    "typing/stop": (state, event) => ({ ...state, typing: withoutTypist(state, event) }),
    // Views show who is writing, not who is editing.
    "typing_edit_message/start": (state) => state,
    "typing_edit_message/stop": (state) => state,
    /** The sender of a message has stopped typing. */
    message: (state, { message }) =>
      state.typing.some((one) => one.user_id === message.sender_id)
        ? { ...state, typing: state.typing.filter((one) => one.user_id !== message.sender_id) }
        : state,
  },
};

function placeOf(
  { message_type, recipients = [], sender, stream_id = 0, topic = "" }: Event,
  self: number,
): Place {
  if (message_type === "stream") return { stream_id, topic };
  return directPlace([...recipients.map(({ user_id }) => user_id), sender.user_id], self);
}

function withoutTypist(state: Typists & Others, event: Event): Typists["typing"] {
  const place = placeKey(placeOf(event, state.self.user_id));
  return state.typing.filter((one) => one.user_id !== event.sender.user_id || one.place !== place);
}
