// Sending: the message is shown at once. Where the server cannot be reached or cannot save it, it waits, and is sent again by itself;
// by its key, the server takes it once. Messages to a conversation leave in the order in which they were written. The browser keeps
// them until the server has answered, also when the page is loaded again.
import { when } from "../lib/observable.ts";
import { t } from "../lib/texts.ts";
import type { OutboxMessage } from "../state/outbox.ts";
import { type Place, type PlaceKey, placeKey } from "../state/places.ts";
import type { Live } from "./event-loop.ts";
import { type Api, mayPass, Refusal, reasonOf } from "./request.ts";

type Answer = Pick<OutboxMessage, "state" | "message_id" | "error">;

const firstPause = 1_000;
const longestPause = 30_000;
/** A request that has not been answered for so long is given up: its connection may be dead. */
const patience = 30_000;
/** Seconds. The server knows keys for a day. */
const keyLife = 23 * 3_600;

export function sendingOf(api: Api, { store, queueId, connection }: Live) {
  let count = 0;
  /** The conversations whose messages are being sent. */
  const underWay = new Set<PlaceKey>();
  const kept = `not sent ${store.get().self.user_id}`;
  const keepUnsent = () => {
    const unsent = store.get().outbox.filter(({ state }) => state !== "sent");
    if (unsent.length === 0) sessionStorage.removeItem(kept);
    else sessionStorage.setItem(kept, JSON.stringify(unsent));
  };
  const find = (localId: string) => store.get().outbox.find(({ local_id }) => local_id === localId);
  const settle = (local_id: string, change: Answer) => {
    store.change("client/settle", { local_id, ...change });
    keepUnsent();
  };

  /** Those that come after one that waits, wait, too. */
  const wait = (place: PlaceKey) => {
    for (const { local_id, state } of listAt(place))
      if (state === "sending") store.change("client/settle", { local_id, state: "waiting" });
    keepUnsent();
  };
  const listAt = (place: PlaceKey) => store.get().outbox.filter((one) => placeKey(one.place) === place);

  const post = async ({ local_id, key, place, content }: OutboxMessage): Promise<Answer> => {
    const queue_id = queueId();
    const to =
      "user_ids" in place ? { type: "direct", to: place.user_ids } : { type: "channel", to: place.stream_id };
    const topic = "user_ids" in place ? {} : { topic: place.topic };
    const echo = queue_id === null ? {} : { queue_id, local_id };
    const params = { ...to, ...topic, content, read_by_sender: true, ...echo };
    const options = { idempotencyKey: key, signal: AbortSignal.timeout(patience) };
    const { id } = await api.post<{ id: number }>("/messages", params, options);
    return { state: "sent", message_id: id };
  };

  /**
   * Sends a message until the server has answered yes or no, its event has arrived, or the person has discarded it. After a loss of
   * the connection, an earlier request may still be under way: whichever is answered first counts.
   */
  const deliver = async (outgoing: OutboxMessage): Promise<void> => {
    const { local_id } = outgoing;
    const answered = Promise.withResolvers<Answer | null>();
    const isOver = () => !find(local_id);
    void when(store, isOver).then(() => answered.resolve(null));
    let pause = firstPause;
    while (!isOver()) {
      if (connection.get() === "online") {
        const failed = post(outgoing).then(answered.resolve, (error: unknown) => {
          // Who is signed out may sign in again.
          const isOut = error instanceof Refusal && error.status === 401;
          if (!isOut && !mayPass(error)) answered.resolve({ state: "failed", error: reasonOf(error) });
          return error;
        });
        const lost = when(connection, (state) => state !== "online");
        await Promise.race([answered.promise, failed, lost]);
      }
      const answer = await Promise.race([answered.promise, Promise.resolve()]);
      if (answer === null) return;
      if (answer) return settle(local_id, answer);
      if (Date.now() / 1000 - outgoing.timestamp > keyLife)
        return settle(local_id, { state: "failed", error: t("The server cannot be reached.") });
      wait(placeKey(outgoing.place));
      const wasOnline = connection.get() === "online";
      const online = when(connection, (state) => state === "online");
      await Promise.race([answered.promise, wasOnline ? pausing(pause) : online]);
      pause = wasOnline ? Math.min(longestPause, pause * 2) : firstPause;
    }
  };
  const pausing = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

  /** Sends what is to be sent to a conversation, one message after the other. */
  const run = async (place: PlaceKey) => {
    if (underWay.has(place)) return;
    underWay.add(place);
    try {
      for (;;) {
        const next = listAt(place).find(({ state }) => state === "sending" || state === "waiting");
        if (!next) return;
        await deliver(next);
      }
    } finally {
      underWay.delete(place);
    }
  };

  const begin = (outgoing: OutboxMessage) => {
    store.change("client/send", { outgoing });
    keepUnsent();
    void run(placeKey(outgoing.place));
  };

  const send = (place: Place, content: string): string => {
    const local_id = `${Date.now()}.${++count}`;
    const state = listAt(placeKey(place)).some((one) => one.state === "waiting") ? "waiting" : "sending";
    begin({ local_id, key: newKey(), place, content, timestamp: nowInSeconds(), state });
    return local_id;
  };

  for (const outgoing of JSON.parse(sessionStorage.getItem(kept) ?? "[]") as OutboxMessage[]) {
    store.change("client/send", { outgoing });
    if (outgoing.state !== "failed") void run(placeKey(outgoing.place));
  }

  return {
    /** Returns the message's ID in the outbox. */
    send,
    retry: ({ error, ...outgoing }: OutboxMessage) => {
      begin({ ...outgoing, key: newKey(), timestamp: nowInSeconds(), state: "sending" });
    },
    /** Resolves once each message under way was sent or refused, or waits. */
    settled: (): Promise<void> =>
      when(store, ({ outbox }) => !outbox.some(({ state }) => state === "sending")),
    discard: (local_id: string) => {
      store.change("client/unsend", { local_id });
      keepUnsent();
    },
  };
}

const nowInSeconds = () => Math.floor(Date.now() / 1000);

/** Grows with time, as the server's index of keys likes it. `randomUUID` is missing where there is no TLS. */
function newKey(): string {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return [Date.now(), ...random].map((part) => part.toString(36)).join("-");
}
