// Sent messages whose event has not arrived yet.
import type { Message, Outgoing } from "./message-shape.ts";
import type { Reducers, State } from "./shape.ts";

/** Drops what has arrived without its ID in the outbox, as by the event of a queue that was opened since. */
function withoutArrived(state: State): State {
  const arrived = state.outbox.filter(({ message_id = 0 }) => state.messages[message_id]);
  if (arrived.length === 0) return state;
  const messages = { ...state.messages };
  for (const { message_id = 0, local_id } of arrived) {
    messages[message_id] = { ...(messages[message_id] as Message), local_id };
  }
  return { ...state, messages, outbox: state.outbox.filter((one) => !arrived.includes(one)) };
}

export const outbox: Reducers = {
  "client/send": (state, { outgoing }: { outgoing: Outgoing }) => ({
    ...state,
    outbox: [...state.outbox.filter(({ local_id }) => local_id !== outgoing.local_id), outgoing],
  }),
  "client/settle": (
    state,
    {
      local_id,
      state: settled,
      message_id,
      error,
    }: Pick<Outgoing, "local_id" | "state" | "message_id" | "error">,
  ) =>
    withoutArrived({
      ...state,
      outbox: state.outbox.map((one) =>
        one.local_id === local_id
          ? { ...one, state: settled, error, ...(message_id !== undefined && { message_id }) }
          : one,
      ),
    }),
  "client/unsend": (state, { local_id }: { local_id: string }) => ({
    ...state,
    outbox: state.outbox.filter((one) => one.local_id !== local_id),
  }),
  message: (state, { local_message_id }: { local_message_id?: string }) =>
    withoutArrived(
      local_message_id === undefined
        ? state
        : { ...state, outbox: state.outbox.filter(({ local_id }) => local_id !== local_message_id) },
    ),
};
