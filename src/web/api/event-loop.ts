// Keeps the state current: registers, then polls for events; registers again when its queue has ended.
import { changeInFrame } from "../lib/frames.ts";
import { createStore, type ValueStore, when } from "../lib/observable.ts";
import type { ServerEvent } from "../state/noun.ts";
import { type Registered, type State, type Store, stateFrom, storeOf } from "../state/state.ts";
import type { Reach } from "./reach.ts";
import { registration, takeEarly } from "./registering.ts";
import { type Api, type PostOptions, Refusal } from "./request.ts";

export type ConnectionState = "online" | "offline";

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

function register(api: Api, options: PostOptions): Promise<Answer> {
  return api.post<Answer>("/register", registration, options);
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
/** A node of a cluster that cannot answer just now, or a server that starts, says so; it is usually there a moment later. */
const notNowPause = 1_500;
const visitorPause = 20_000;
/**
 * A wait that ends with nothing means that a session of this person has ended, perhaps this one, because they changed their
 * password here: the answer to that brings the new cookies.
 */
const changedPause = 1_000;
/** The server answers a poll within a minute, by a heartbeat; after this time the connection is dead. */
const patience = 100_000;
/**
 * A poll that is silent for so long while the server answers other requests may wait on a connection of its own that is dead: that of
 * a machine that is gone, where another machine with the same name answers now, or of a network that the computer has left.
 */
const silence = 10_000;
/** A poll that does not wait is answered at once. */
const quickPatience = 20_000;

export async function goLive(api: Api, reach: Reach): Promise<Live> {
  const answer = await register(api, { asked: takeEarly() });
  const store = storeOf(stateOf(answer));
  const connection = createStore<ConnectionState>("online");
  const latestEvents = createStore<readonly ServerEvent[]>([]);
  const queue = { id: answer.queue_id, last: answer.last_event_id };
  let isStopped = false;
  /** Whether a poll was aborted to find out whether the connection still works; the next one then does not wait. */
  let isNudged = false;
  let mustAnswer = false;
  let wake = () => {};
  let waiting = new AbortController();
  /** When the poll was sent that waits now; null if none does. */
  let waitsSince: number | null = null;

  /** A request that ends if the connection is lost. */
  const asking = async <T>(milliseconds: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), milliseconds);
    try {
      return await ask(waiting.signal);
    } finally {
      clearTimeout(timer);
    }
  };

  const renew = async () => {
    const fresh = await asking(patience, (signal) => register(api, { signal }));
    queue.id = fresh.queue_id;
    queue.last = fresh.last_event_id;
    store.set(renewState(stateOf(fresh), store.get()));
  };

  /** Returns whether there were events. A poll that does not wait shows that the connection works. */
  const poll = async (isWaiting: boolean) => {
    const params = { queue_id: queue.id ?? "", last_event_id: queue.last, dont_block: !isWaiting };
    waitsSince = isWaiting ? Date.now() : null;
    const { events } = await asking(isWaiting ? patience : quickPatience, (signal) =>
      api.get<{ events: ServerEvent[] }>("/events", params, signal),
    ).finally(() => {
      waitsSince = null;
    });
    const received = Date.now();
    queue.last = Math.max(queue.last, ...events.map(({ id = 0 }) => id));
    // What arrives meanwhile comes with the next answer.
    await changeInFrame(() => {
      store.apply(...events.map((event) => (event.type === "typing" ? { ...event, received } : event)));
      latestEvents.set(events);
    });
    return events.length > 0;
  };

  const pausing = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, milliseconds);
    });

  const nudge = () => {
    isNudged = connection.get() === "online";
    if (isNudged) waiting.abort();
  };

  const unsubscribe = [
    reach.isReached.subscribe(() => {
      if (reach.isReached.get()) return wake();
      connection.set("offline");
      waiting.abort();
    }),
    reach.probedAt.subscribe(() => {
      if (waitsSince !== null && reach.probedAt.get() - waitsSince > silence) nudge();
    }),
  ];

  const run = async () => {
    let pause = firstPause;
    let mustRenew = false;
    while (!isStopped) {
      try {
        if (mustRenew) await renew();
        mustRenew = false;
        if (queue.id === null) {
          // A visitor has no queue, and registers again now and then.
          connection.set("online");
          await pausing(visitorPause);
          mustRenew = !isStopped;
          continue;
        }
        const isWaiting = connection.get() === "online" && !mustAnswer;
        const hasReceived = await poll(isWaiting);
        pause = firstPause;
        mustAnswer = false;
        connection.set("online");
        if (!hasReceived && isWaiting) await pausing(changedPause);
      } catch (error) {
        if (isStopped) return;
        const wasNudged = isNudged;
        isNudged = false;
        mustAnswer = wasNudged;
        if (wasNudged && reach.isReached.get()) continue;
        if (error instanceof Refusal && error.code === "BAD_EVENT_QUEUE_ID") {
          mustRenew = true;
          continue;
        }
        if (error instanceof Refusal && error.status === 401) return;
        connection.set("offline");
        const isNotNow = error instanceof Refusal && error.status === 503;
        await pausing(pause * (0.75 + Math.random() / 2));
        pause = Math.min(isNotNow ? notNowPause : longestPause, pause * 2);
        await when(reach.isReached, (isReached) => isReached);
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
      for (const end of unsubscribe) end();
      reach.stop();
      wake();
      waiting.abort();
    },
    retry: () => {
      reach.check();
      nudge();
      wake();
    },
  };
}
