// A client that waits for messages, and continues at another node when its own dies.
import type { Account } from "./load.ts";
import { type Cluster, type Node, until } from "./machines.ts";

export interface Listener {
  /** The IDs of messages, in the order of their events; one list per registration. */
  readonly received: readonly number[][];
  /** Waits until it has got the event of a message, or has registered after it, and ends. */
  stop(newest: number): Promise<void>;
}

interface Queue {
  id: string;
  last: number;
}

const waitMs = 4_000;

/** Resolves once the client is registered at a node. */
export async function listen(cluster: Cluster, account: Account, first: number): Promise<Listener> {
  const received: number[][] = [];
  let at = first;
  let isOver = false;
  let reached = 0;
  const node = () => cluster.nodes[at % cluster.nodes.length] as Node;

  const register = async (): Promise<Queue> => {
    const params = { event_types: ["message"], fetch_event_types: ["message"] };
    const answer = await node().call(account, "POST", "register", params, waitMs);
    if (answer.result !== "success") throw new Error(answer.msg);
    received.push([]);
    reached = Math.max(reached, answer.max_message_id);
    return { id: answer.queue_id, last: answer.last_event_id };
  };

  const poll = async (queue: Queue): Promise<Queue | null> => {
    const params = { queue_id: queue.id, last_event_id: queue.last };
    const answer = await node().call(account, "GET", "events", params, waitMs);
    if (answer.code === "BAD_EVENT_QUEUE_ID") return null;
    // The caller asks again after a pause.
    if (answer.result !== "success") throw new Error(answer.msg);
    for (const event of answer.events) {
      queue.last = event.id;
      if (event.type !== "message") continue;
      reached = event.message.id;
      if (/^<p>load /.test(event.message.content)) received.at(-1)?.push(reached);
    }
    return queue;
  };

  let queue: Queue | null = await until("a client is registered", async () => {
    return register().catch(() => {
      at++;
      return null;
    });
  });
  const run = async () => {
    while (!isOver) {
      try {
        queue = queue ? await poll(queue) : await register();
      } catch {
        // Nothing was sent, or the node is dead.
        const isThere = await node()
          .status()
          .catch(() => null);
        if (!isThere) at++;
        await Bun.sleep(20);
      }
    }
  };
  const running = run();
  return {
    received,
    async stop(newest) {
      try {
        await until(`a client hears of message ${newest}`, () => reached >= newest);
      } finally {
        isOver = true;
        await running;
      }
    },
  };
}
