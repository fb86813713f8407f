// Clients that long-poll and poll again at once, inside the load generator.
import { type Answer, type Connection, connect } from "./http.ts";
import { type Account, poll, register } from "./requests.ts";

type Listener = { account: Account; connection: Connection; queueId: string; lastEventId: number };
type Observer = (body: Buffer, at: number) => void;

const atOnce = 100; // connections opened together: a listen backlog is short

export function openListeners(port: number, report: (failure: string) => void) {
  const listeners: Listener[] = [];
  let observe: Observer = () => {};
  let isClosed = false;

  async function add(account: Account, types?: readonly string[]): Promise<void> {
    const connection = await connect(port);
    const answer = expectSuccess(await connection.request(register(account, types)));
    const { queue_id, last_event_id } = JSON.parse(answer.body.toString());
    const listener = { account, connection, queueId: queue_id, lastEventId: last_event_id };
    listeners.push(listener);
    listen(listener).catch((error: Error) => {
      if (!isClosed) report(`A listener stopped: ${error.message}`);
    });
  }

  async function listen(listener: Listener): Promise<void> {
    const { connection, account, queueId } = listener;
    while (!isClosed) {
      const { body, at } = expectSuccess(
        await connection.request(poll(account, queueId, listener.lastEventId)),
      );
      listener.lastEventId = lastEventId(body) ?? listener.lastEventId;
      observe(body, at);
    }
  }

  return {
    count: () => listeners.length,
    async open(accounts: Account[], types?: readonly string[]): Promise<void> {
      for (let i = 0; i < accounts.length; i += atOnce)
        await Promise.all(accounts.slice(i, i + atOnce).map((account) => add(account, types)));
    },
    onAnswer(observer: Observer): void {
      observe = observer;
    },
    /** Resolves with the time at which the last listener got an answer that contains `token`. */
    everyoneSees(token: string): Promise<number> {
      const needle = Buffer.from(token);
      let missing = listeners.length;
      return new Promise((resolve) => {
        if (missing === 0) resolve(performance.now());
        observe = (body, at) => {
          if (!body.includes(needle)) return;
          missing -= 1;
          if (missing > 0) return;
          observe = () => {};
          resolve(at);
        };
      });
    },
    close(): void {
      isClosed = true;
      for (const { connection } of listeners) connection.close();
    },
  };
}

export type Listeners = ReturnType<typeof openListeners>;

export function expectSuccess(answer: Answer): Answer {
  if (answer.status === 200 || answer.status === 304) return answer;
  throw new Error(`HTTP ${answer.status}: ${answer.body.toString("utf8", 0, 300)}`);
}

/** The `id` of the last event: read from the end of the text if the server writes it there, else parsed. */
function lastEventId(body: Buffer): number | null {
  const tail = body.toString("latin1", Math.max(0, body.length - 160), body.length);
  const id = /[^{]"id": ?(\d+)\}\](?:,"queue_id":"[^"]*")?\}$/.exec(tail)?.[1];
  if (id !== undefined) return Number(id);
  const { events } = JSON.parse(body.toString()) as { events: { id: number }[] };
  return events.at(-1)?.id ?? null;
}
