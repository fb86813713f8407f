// New messages of a remote server, by an event queue: each arrives at once, and waiting uses up no request limit.
import { z } from "zod";
import type { CommandCall } from "../command.ts";
import { checkShape, failRefused, type Server } from "../server.ts";
import { presentMessage, type ShownMessage } from "./message-shapes.ts";

/** Where `message tail --follow` gets its messages. */
export interface Feed {
  /** Waits for messages after the one with this ID, oldest first; there may be none yet. */
  after(id: number, signal: AbortSignal): Promise<ShownMessage[]>;
  close(): Promise<void>;
}

interface QueueSource {
  server: Server;
  /** The filter, as typed. */
  given: CommandCall["given"];
  /** A page of the messages after the one with this ID, oldest first. */
  page: (id: number) => Promise<ShownMessage[]>;
}

/** Longer than the server waits for an event. */
const pollMs = 90_000;
export const pageLength = 1000;

const registered = z.object({ queue_id: z.string(), last_event_id: z.int() });
const message = z.object({
  id: z.int(),
  timestamp: z.int(),
  sender_email: z.string(),
  display_recipient: z.union([z.string(), z.array(z.object({ email: z.string() }))]),
  subject: z.string(),
  content: z.string(),
});
const polled = z.object({
  events: z.array(z.object({ id: z.int(), type: z.string(), message: message.optional() })),
});
const refusal = z.object({ code: z.string() });
type Queue = z.infer<typeof registered>;

/**
 * The messages that an event queue delivers. The server may end the queue, for example when it starts again: then a new one
 * is opened, and what was sent in between is read from the list, so that nothing is missing.
 */
export function queueFeed({ server, given, page }: QueueSource): Feed {
  let queue: Queue | null = null;
  let isBehind = true;
  return {
    async after(id, signal) {
      if (!queue) {
        queue = await openQueue(server, given);
        isBehind = true;
      }
      if (isBehind) {
        const missed = await page(id);
        isBehind = missed.length === pageLength;
        return missed;
      }
      const events = await poll(server, queue, signal);
      queue = events && { ...queue, last_event_id: events.at(-1)?.id ?? queue.last_event_id };
      return (events ?? []).flatMap(({ message }) => (message ? [presentMessage(message)] : []));
    },
    async close() {
      const path = queue && `/api/v1/events?${new URLSearchParams({ queue_id: queue.queue_id })}`;
      // A queue that cannot be ended now ends by itself.
      if (path) await server.send(path, { init: { method: "DELETE" } }).catch(() => {});
    },
  };
}

/** With a channel, also gets events of public channels that the user is not in, except for guests. */
async function openQueue(server: Server, given: CommandCall["given"]): Promise<Queue> {
  const { channel, topic, from } = given;
  const terms = { channel, topic, sender: from };
  const body = {
    apply_markdown: "false",
    client_gravatar: "false",
    event_types: JSON.stringify(["message"]),
    client_capabilities: JSON.stringify({ empty_topic_name: true }),
    narrow: JSON.stringify(Object.entries(terms).filter(([, operand]) => operand !== undefined)),
  };
  const register = (all: boolean) => {
    const form = new URLSearchParams({ ...body, all_public_streams: String(all) });
    return server.send("/api/v1/register", { init: { method: "POST", body: form } });
  };
  const first = await register(channel !== undefined);
  const answer = first.ok || channel === undefined ? first : await register(false);
  return answer.ok ? checkShape(registered, answer.body, server) : failRefused(server, answer);
}

/** The next events; null if the queue has ended. */
async function poll(
  server: Server,
  queue: Queue,
  signal: AbortSignal,
): Promise<z.infer<typeof polled>["events"] | null> {
  const query = new URLSearchParams({ queue_id: queue.queue_id, last_event_id: String(queue.last_event_id) });
  const answer = await server.send(`/api/v1/events?${query}`, { patienceMs: pollMs, signal });
  if (answer.ok) return checkShape(polled, answer.body, server).events;
  return refusal.safeParse(answer.body).data?.code === "BAD_EVENT_QUEUE_ID"
    ? null
    : failRefused(server, answer);
}
