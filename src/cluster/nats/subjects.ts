// Messages between nodes, sent over core NATS.
import {
  createInbox,
  headers,
  type Msg,
  type NatsConnection,
  NoRespondersError,
} from "@nats-io/transport-node";
import { z } from "zod";
import { type NodeState, nodeState } from "@/operations/nodes/schema.ts";
import type { NodeTrial, Peer, Talk, Tried } from "../shared-log.ts";

const positionHeader = "Confab-Position";
const nodeHeader = "Confab-Node";
const idHeader = "Confab-Node-Id";
const askingMs = 200;
/** Where all that answered lately have answered, nodes that have just started are waited for no longer than this. */
const leastMs = 50;
/** For how long the answers of nodes that try an address are waited for. */
const tryingMs = 5_000;

const tried = z.object({ node: z.string(), id: z.string(), url: z.string() });
const trial = z.object({
  node: z.string(),
  fault: z.string().nullable(),
  reachedBy: z.number().nullable(),
  mayLead: z.boolean(),
});

export class Subjects implements Talk {
  constructor(
    private readonly nc: NatsConnection,
    private readonly prefix: string,
  ) {}

  announce(seq: number, data: Uint8Array): void {
    if (this.nc.isClosed() || this.nc.isDraining()) return;
    const head = headers();
    head.set(positionHeader, String(seq));
    this.nc.publish(`${this.prefix}.entry`, data, { headers: head });
  }

  broadcast(data: Uint8Array): void {
    this.nc.publish(`${this.prefix}.tell`, data);
  }

  async positions(enough?: number): Promise<number[]> {
    const answers = await this.ask("position", enough);
    return answers.map((answer) => Number(answer.string()));
  }

  async peers(wanted: readonly string[], ms: number): Promise<Peer[]> {
    const missing = new Set(wanted);
    const found: Peer[] = [];
    const enough = Promise.withResolvers<void>();
    // One of an earlier version does not say its name, and may be any of the missing.
    const isComplete = () => missing.size <= found.filter(({ node }) => node === null).length;
    const end = this.collect("position", "", (message) => {
      const peer = peerOf(message);
      found.push(peer);
      if (peer.node !== null) missing.delete(peer.node);
      if (isComplete()) enough.resolve();
    });
    const all = Promise.all([enough.promise, Bun.sleep(wanted.length > 0 ? leastMs : askingMs)]);
    await Promise.race([all, Bun.sleep(askingMs + ms)]);
    end();
    return found;
  }

  haveTried(of: Tried, found: (trial: NodeTrial) => void): void {
    if (this.nc.isClosed() || this.nc.isDraining()) return;
    const end = this.collect("try", JSON.stringify({ node: of.node, id: of.id, url: of.url }), (message) => {
      const { data } = trial.safeParse(message.json());
      if (data) found(data);
    });
    setTimeout(end, tryingMs);
  }

  /** Asks all nodes; passes each answer on until the returned function is called. */
  private collect(what: string, asked: string, onAnswer: (answer: Msg) => void): () => void {
    const inbox = createInbox();
    const callback = (error: Error | null, message: Msg) => {
      if (!error && message.data.length > 0) onAnswer(message);
    };
    const answers = this.nc.subscribe(inbox, { callback });
    this.nc.publish(`${this.prefix}.${what}`, asked, { reply: inbox });
    return () => answers.unsubscribe();
  }

  async states(): Promise<NodeState[]> {
    const answers = await this.ask("state");
    return answers.flatMap((answer) => nodeState.safeParse(answer.json()).data ?? []);
  }

  private async ask(what: string, enough?: number): Promise<Msg[]> {
    const usual = { strategy: "timer", maxWait: askingMs } as const;
    const how =
      enough === undefined ? usual : ({ ...usual, strategy: "count", maxMessages: enough } as const);
    const found: Msg[] = [];
    try {
      for await (const answer of await this.nc.requestMany(`${this.prefix}.${what}`, "", how)) {
        if (answer.data.length > 0) found.push(answer);
      }
    } catch (error) {
      if (!(error instanceof NoRespondersError)) throw error;
    }
    return found;
  }

  listen(listener: Parameters<Talk["listen"]>[0]): void {
    this.nc.subscribe(`${this.prefix}.entry`, {
      callback: (error, message) => {
        if (!error) listener.onEntry(Number(message.headers?.get(positionHeader)), message.data);
      },
    });
    this.nc.subscribe(`${this.prefix}.tell`, {
      callback: (error, message) => {
        if (!error) listener.onEvents(message.data);
      },
    });
    this.nc.subscribe(`${this.prefix}.position`, {
      callback: (error, message) => {
        if (error) return;
        const { node, id, position } = listener.peer();
        const head = headers();
        if (node !== null) head.set(nodeHeader, node);
        if (id !== null) head.set(idHeader, id);
        message.respond(String(position), { headers: head });
      },
    });
    this.nc.subscribe(`${this.prefix}.try`, {
      callback: (error, message) => {
        const { data } = tried.safeParse(error ? null : message.json());
        if (!data) return;
        void listener.trial(data).then((found) => {
          if (found && !this.nc.isClosed()) message.respond(JSON.stringify(found));
        });
      },
    });
  }

  report(describe: () => NodeState | null): void {
    this.nc.subscribe(`${this.prefix}.state`, {
      callback: (error, message) => {
        const state = error ? null : describe();
        if (state) message.respond(JSON.stringify(state));
      },
    });
  }
}

function peerOf(message: Msg): Peer {
  const readHeader = (name: string) => message.headers?.get(name) || null;
  return { node: readHeader(nodeHeader), id: readHeader(idHeader), position: Number(message.string()) };
}
