// Messages between nodes, sent over core NATS.
import { headers, type Msg, type NatsConnection, NoRespondersError } from "@nats-io/transport-node";
import { type NodeState, nodeState } from "@/operations/nodes/schema.ts";
import type { Talk } from "../shared-log.ts";

const positionHeader = "Confab-Position";
const askingMs = 200;

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

  tell(data: Uint8Array): void {
    this.nc.publish(`${this.prefix}.tell`, data);
  }

  async positions(enough?: number): Promise<number[]> {
    const answers = await this.ask("position", enough);
    return answers.map((answer) => Number(answer.string()));
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
        if (!error) listener.announced(Number(message.headers?.get(positionHeader)), message.data);
      },
    });
    this.nc.subscribe(`${this.prefix}.tell`, {
      callback: (error, message) => {
        if (!error) listener.told(message.data);
      },
    });
    this.nc.subscribe(`${this.prefix}.position`, {
      callback: (error, message) => {
        if (!error) message.respond(String(listener.position()));
      },
    });
    this.nc.subscribe(`${this.prefix}.state`, {
      callback: (error, message) => {
        const state = error ? null : listener.state();
        if (state) message.respond(JSON.stringify(state));
      },
    });
  }
}
