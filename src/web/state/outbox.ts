// Sent messages whose event has not arrived yet.
import type { Message, MessageEvents, Messages } from "./messages.ts";
import type { StateNoun } from "./noun.ts";
import type { Place } from "./places.ts";

/** A message on its way to the server. It waits while the server cannot be reached, or cannot save it. */
export interface OutboxMessage {
  local_id: string;
  /** By which the server knows it if it is sent again. */
  key: string;
  place: Place;
  content: string;
  /** Unix seconds. */
  timestamp: number;
  state: "sending" | "waiting" | "sent" | "failed";
  /** Once the server has accepted it. */
  message_id?: number;
  /** Why it failed, in the server's words. */
  error?: string;
}

interface Outbox {
  outbox: readonly OutboxMessage[];
}

interface OwnEvents {
  "client/send": { outgoing: OutboxMessage };
  "client/settle": Pick<OutboxMessage, "local_id" | "state" | "message_id" | "error">;
  "client/unsend": { local_id: string };
}

type Others = Pick<Messages, "messages">;
type Known = Outbox & Others;

export const outbox: StateNoun<unknown, Outbox, MessageEvents & OwnEvents, Others> = {
  takes: [],
  initial: () => ({ outbox: [] }),
  reducers: {
    "client/send": (state, { outgoing }) => ({
      ...state,
      outbox: [...state.outbox.filter(({ local_id }) => local_id !== outgoing.local_id), outgoing],
    }),
    "client/settle": (state, { local_id, state: settled, message_id, error }) =>
      withoutArrived({
        ...state,
        outbox: state.outbox.map((one) =>
          one.local_id === local_id
            ? { ...one, state: settled, error, ...(message_id !== undefined && { message_id }) }
            : one,
        ),
      }),
    "client/unsend": (state, { local_id }) => ({
      ...state,
      outbox: state.outbox.filter((one) => one.local_id !== local_id),
    }),
    message: (state, { local_message_id }) =>
      withoutArrived(
        local_message_id === undefined
          ? state
          : { ...state, outbox: state.outbox.filter(({ local_id }) => local_id !== local_message_id) },
      ),
  },
};

/** Drops what has arrived without its ID in the outbox, as by the event of a queue that was opened since. */
function withoutArrived(state: Known): Known {
  const arrived = state.outbox.filter(({ message_id = 0 }) => state.messages[message_id]);
  if (arrived.length === 0) return state;
  const messages = { ...state.messages };
  for (const { message_id = 0, local_id } of arrived) {
    messages[message_id] = { ...(messages[message_id] as Message), local_id };
  }
  return { ...state, messages, outbox: state.outbox.filter((one) => !arrived.includes(one)) };
}
