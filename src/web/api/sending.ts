// Sending: the message is shown at once, with an error if it could not be sent. The browser keeps that one until it is sent or
// discarded.
import type { OutboxMessage } from "../state/outbox.ts";
import type { Place } from "../state/places.ts";
import type { Store } from "../state/state.ts";
import { type Api, reasonOf } from "./request.ts";

export function sendingOf(api: Api, store: Store, queueId: () => string | null) {
  let count = 0;
  const underWay = new Set<Promise<void>>();
  const kept = `not sent ${store.get().self.user_id}`;
  const keepFailed = () => {
    const failed = store.get().outbox.filter(({ state }) => state === "failed");
    if (failed.length === 0) sessionStorage.removeItem(kept);
    else sessionStorage.setItem(kept, JSON.stringify(failed));
  };
  for (const outgoing of JSON.parse(sessionStorage.getItem(kept) ?? "[]") as OutboxMessage[])
    store.change("client/send", { outgoing });

  const post = async ({ local_id, place, content }: OutboxMessage) => {
    const queue_id = queueId();
    const to =
      "user_ids" in place ? { type: "direct", to: place.user_ids } : { type: "channel", to: place.stream_id };
    const topic = "user_ids" in place ? {} : { topic: place.topic };
    const echo = queue_id === null ? {} : { queue_id, local_id };
    const settle = (change: Pick<OutboxMessage, "state" | "message_id" | "error">) =>
      store.change("client/settle", { local_id, ...change });
    try {
      const params = { ...to, ...topic, content, read_by_sender: true, ...echo };
      const { id } = await api.post<{ id: number }>("/messages", params);
      settle({ state: "sent", message_id: id });
    } catch (error) {
      settle({ state: "failed", error: reasonOf(error) });
      keepFailed();
    }
  };

  const begin = (outgoing: OutboxMessage) => {
    const posting = post(outgoing).finally(() => underWay.delete(posting));
    underWay.add(posting);
  };

  const send = (place: Place, content: string): string => {
    const timestamp = Math.floor(Date.now() / 1000);
    const local_id = `${Date.now()}.${++count}`;
    const outgoing: OutboxMessage = { local_id, place, content, timestamp, state: "sending" };
    store.change("client/send", { outgoing });
    begin(outgoing);
    return local_id;
  };

  return {
    /** Returns the message's ID in the outbox. */
    send,
    retry: (outgoing: OutboxMessage) => {
      const again: OutboxMessage = { ...outgoing, state: "sending" };
      store.change("client/send", { outgoing: again });
      keepFailed();
      begin(again);
    },
    /** Resolves once each message under way was sent or refused. */
    settled: async (): Promise<void> => {
      await Promise.all(underWay);
    },
    discard: (local_id: string) => {
      store.change("client/unsend", { local_id });
      keepFailed();
    },
  };
}
