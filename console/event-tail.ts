// Events as clients receive them, from an event queue that the console opens at the running server.
import type { ServerLink } from "./server-link.ts";

export interface TailedEvent {
  /** Numbered by the console, because each new queue starts its numbers again. */
  number: number;
  /** UNIX seconds. */
  at: number;
  type: string;
  event: Record<string, unknown>;
}

export interface EventTail {
  /** Newest first. */
  readonly events: readonly TailedEvent[];
  /** The same, also those that came since it was stopped. */
  readonly newest: readonly TailedEvent[];
  /** While true, the list stands still; what comes is kept. */
  isStopped: boolean;
  /** How many events came since it was stopped. */
  readonly waiting: number;
  /** The status line. */
  readonly state: string;
  /** Starts listening, if not started already. */
  start(): void;
  watch(notice: () => void): void;
  close(): Promise<void>;
}

interface Queue {
  id: string;
  last: number;
}

const kept = 500;
/** Before it tries again; twice as long each time. */
const [leastPauseMs, mostPauseMs] = [2_000, 30_000];
const pollMs = 100_000;

export function eventTail(server: Pick<ServerLink, "request">): EventTail {
  const listeners = new Set<() => void>();
  const ending = new AbortController();
  let events: TailedEvent[] = [];
  let stopped: TailedEvent[] | null = null;
  let state = "Not listening yet.";
  let queue: Queue | null = null;
  let isStarted = false;
  const notify = () => {
    for (const notice of listeners) notice();
  };
  const setState = (message: string) => {
    if (message === state) return;
    state = message;
    notify();
  };

  async function pollOnce(): Promise<void> {
    queue ??= await openQueue(server, ending.signal);
    if (!queue) {
      setState("No server runs on this data folder, so there are no events.");
      return;
    }
    setState("Listening.");
    const news = await poll(server, queue, ending.signal);
    if (!news) {
      queue = null;
      return;
    }
    for (const event of news) {
      queue.last = Math.max(queue.last, Number(event.id));
      if (event.type !== "heartbeat")
        events = [toTailed(event, events[0]?.number ?? 0), ...events].slice(0, kept);
    }
    if (news.some(({ type }) => type !== "heartbeat")) notify();
  }

  async function listen(): Promise<void> {
    let pauseMs = leastPauseMs;
    while (!ending.signal.aborted) {
      const isWell = await pollOnce().then(
        () => queue !== null,
        (error: Error) => {
          setState(`The server cannot be reached: ${error.message}`);
          return false;
        },
      );
      if (isWell) pauseMs = leastPauseMs;
      else if (!ending.signal.aborted) {
        await Bun.sleep(pauseMs);
        pauseMs = Math.min(mostPauseMs, pauseMs * 2);
      }
    }
  }

  return {
    get events() {
      return stopped ?? events;
    },
    get newest() {
      return events;
    },
    get isStopped() {
      return stopped !== null;
    },
    set isStopped(wanted) {
      stopped = wanted ? events : null;
    },
    get waiting() {
      return stopped ? (events[0]?.number ?? 0) - (stopped[0]?.number ?? 0) : 0;
    },
    get state() {
      return state;
    },
    start() {
      if (isStarted) return;
      isStarted = true;
      void listen();
    },
    watch: (notice) => void listeners.add(notice),
    async close() {
      listeners.clear();
      ending.abort();
      if (queue) await endQueue(server, queue).catch(() => {}); // It expires anyway.
    },
  };
}

function toTailed(event: Record<string, unknown>, last: number): TailedEvent {
  const { type, op, id: _, ...rest } = event;
  const name = op === undefined ? String(type) : `${type}/${op}`;
  return { number: last + 1, at: Math.floor(Date.now() / 1000), type: name, event: rest };
}

async function openQueue(server: Pick<ServerLink, "request">, signal: AbortSignal): Promise<Queue | null> {
  const body = new URLSearchParams({
    apply_markdown: "false",
    all_public_streams: "true",
    fetch_event_types: JSON.stringify([]),
    client_capabilities: JSON.stringify({
      archived_channels: true,
      bulk_message_deletion: true,
      empty_topic_name: true,
      include_deactivated_groups: true,
      linkifier_url_template: true,
      notification_settings_null: true,
      simplified_presence_events: true,
      stream_typing_notifications: true,
      user_settings_object: true,
    }),
  });
  const answer = await server.request("/api/v1/register", { method: "POST", body, signal });
  if (!answer) return null;
  const found = (await answer.json()) as { queue_id?: string; last_event_id?: number; msg?: string };
  if (!found.queue_id) throw new Error(found.msg);
  return { id: found.queue_id, last: found.last_event_id ?? -1 };
}

/** Null if the queue no longer exists. */
async function poll(
  server: Pick<ServerLink, "request">,
  { id, last }: Queue,
  ending: AbortSignal,
): Promise<Record<string, unknown>[] | null> {
  const asked = new URLSearchParams({ queue_id: id, last_event_id: String(last) });
  const signal = AbortSignal.any([ending, AbortSignal.timeout(pollMs)]);
  const answer = await server.request(`/api/v1/events?${asked}`, { signal });
  if (!answer?.ok) return null;
  return ((await answer.json()) as { events: Record<string, unknown>[] }).events;
}

async function endQueue(server: Pick<ServerLink, "request">, { id }: Queue): Promise<void> {
  await server.request("/api/v1/events", { method: "DELETE", body: new URLSearchParams({ queue_id: id }) });
}
