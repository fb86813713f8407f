// Sent messages whose event has not arrived yet.
import type { Outgoing } from "./message-shape.ts";
import type { Reducers } from "./shape.ts";

export const outbox: Reducers = {
  "client/send": (state, { outgoing }: { outgoing: Outgoing }) => ({
    ...state,
    outbox: [...state.outbox.filter(({ local_id }) => local_id !== outgoing.local_id), outgoing],
  }),
  "client/settle": (
    state,
    { local_id, ...change }: { local_id: string } & Pick<Outgoing, "state" | "error">,
  ) => ({
    ...state,
    outbox: state.outbox.map((one) =>
      one.local_id === local_id ? { ...one, state: change.state, error: change.error } : one,
    ),
  }),
  "client/unsend": (state, { local_id }: { local_id: string }) => ({
    ...state,
    outbox: state.outbox.filter((one) => one.local_id !== local_id),
  }),
  message: (state, { local_message_id }: { local_message_id?: string }) =>
    local_message_id === undefined
      ? state
      : { ...state, outbox: state.outbox.filter(({ local_id }) => local_id !== local_message_id) },
};
