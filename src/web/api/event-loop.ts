// Keeps the state current: registers, then polls for events; registers again when its queue has ended.
import { changeInFrame } from "../lib/frames.ts";
import { createStore, type ValueStore } from "../lib/observable.ts";
import type { ServerEvent } from "../state/noun.ts";
import { type Registered, type State, type Store, stateFrom, storeOf } from "../state/state.ts";
import { registration, takeEarly } from "./registering.ts";
import { type Api, Refusal } from "./request.ts";

export type ConnectionState = "online" | "offline" | "reconnecting";

export interface Live {
  store: Store;
  connection: ValueStore<ConnectionState>;
  /** The events that arrived last, already applied. */
  latestEvents: ValueStore<readonly ServerEvent[]>;
  /** The queue to name when sending, so that the message's event carries its ID in the outbox. */
  queueId(): string | null;
  /** Stops polling. */
  stop(): void;
  /** Tries again now, rather than at the end of the pause. */
  retry(): void;
}

type Answer = Registered & { queue_id: string | null; last_event_id: number };

function register(api: Api, asked?: Promise<Response>): Promise<Answer> {
  return api.post<Answer>("/register", registration, asked);
}

/** Fields that change with each registration and do not belong to the state. */
function stateOf({ queue_id, last_event_id, ...answer }: Answer): State {
  return stateFrom(answer as Answer);
}

/** The new state, with what was fetched before. That may be out of date, so views fetch it again when they show it. */
function renewState(fresh: State, before: State): State {
  const windows = Object.entries(before.windows).map(([key, window]) => [key, { ...window, is_stale: true }]);
  return {
    ...fresh,
    messages: before.messages,
    windows: Object.fromEntries(windows),
    // Messages that the server has accepted come with the new answers.
    outbox: before.outbox.filter(({ state }) => state !== "sent"),
  };
}

const firstPause = 500;
const longestPause = 30_000;
const visitorPause = 20_000;
/**
 * A wait that ends with nothing means that a session of this person has ended, perhaps this one, because they changed their
 * password here: the answer to that brings the new cookies.
 */
const changedPause = 1_000;
/** The server answers a poll within a minute, by a heartbeat; after this time the connection is dead. */
const patience = 100_000;

export async function goLive(api: Api): Promise<Live> {
  const answer = await register(api, takeEarly());
  const store = storeOf(stateOf(answer));
  const connection = createStore<ConnectionState>("online");
  const latestEvents = createStore<readonly ServerEvent[]>([]);
  const queue = { id: answer.queue_id, last: answer.last_event_id };
  let isStopped = false;
  /** Whether a poll was aborted to find out whether the connection still works. */
  let isNudged = false;
  let wake = () => {};
  let waiting = new AbortController();

  const renew = async () => {
    const fresh = await register(api);
    queue.id = fresh.queue_id;
    queue.last = fresh.last_event_id;
    store.set(renewState(stateOf(fresh), store.get()));
  };

  const poll = async () => {
    waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), patience);
    try {
      const params = { queue_id: queue.id ?? "", last_event_id: queue.last };
      const { events } = await api.get<{ events: ServerEvent[] }>("/events", params, waiting.signal);
      const received = Date.now();
      queue.last = Math.max(queue.last, ...events.map(({ id = 0 }) => id));
      // What arrives meanwhile comes with the next answer.
      await changeInFrame(() => {
        store.apply(...events.map((event) => (event.type === "typing" ? { ...event, received } : event)));
        latestEvents.set(events);
      });
      return events.length > 0;
    } finally {
      clearTimeout(timer);
    }
  };

  const pausing = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, milliseconds);
    });

  const run = async () => {
    let pause = firstPause;
    let mustRenew = false;
    while (!isStopped) {
      try {
        if (mustRenew) await renew();
        mustRenew = false;
        if (queue.id === null) {
          // A visitor has no queue, and registers again now and then.
          await pausing(visitorPause);
          mustRenew = !isStopped;
          continue;
        }
        const hasReceived = await poll();
        pause = firstPause;
        connection.set("online");
        if (!hasReceived) await pausing(changedPause);
      } catch (error) {
        if (isStopped) return;
        if (isNudged) {
          isNudged = false;
          continue;
        }
        if (error instanceof Refusal && error.code === "BAD_EVENT_QUEUE_ID") {
          mustRenew = true;
          continue;
        }
        if (error instanceof Refusal && error.status === 401) return;
        connection.set("offline");
        await pausing(pause * (0.75 + Math.random() / 2));
        connection.set("reconnecting");
        pause = Math.min(longestPause, pause * 2);
      }
    }
  };
  void run();

  return {
    store,
    connection,
    latestEvents: latestEvents,
    queueId: () => queue.id,
    stop: () => {
      isStopped = true;
      wake();
      waiting.abort();
    },
    retry: () => {
      isNudged = connection.get() === "online";
      if (isNudged) waiting.abort();
      wake();
    },
  };
}
