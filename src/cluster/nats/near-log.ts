// A connection of the node that leads to the nats-server that leads the log. An entry that takes it passes no other server on its
// way there, and none on the way back.
import { type JetStreamClient, jetstream } from "@nats-io/jetstream";
import { type ConnectionOptions, connect, type NatsConnection } from "@nats-io/transport-node";

const dialMs = 1_000;
/** How long after a failure the next attempt to connect follows. */
const pauseMs = 30_000;
/** If the node no longer leads, the connection is not needed. */
const unusedMs = 10_000;

interface Options {
  /** The node's usual connection, whose server may be another one. */
  readonly nc: NatsConnection;
  /** As that of `nc`. */
  readonly access: ConnectionOptions;
  readonly answerMs: number;
}

interface Near {
  readonly server: string;
  readonly nc: NatsConnection;
  readonly client: JetStreamClient;
}

export class NearLog {
  private near: Near | null = null;
  private isDialling = false;
  private dialAfter = 0;
  private isClosed = false;
  private unused: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: Options) {}

  /** Null while there is no such connection. Where the usual one leads to that server, none is made. */
  get client(): JetStreamClient | null {
    return this.near?.client ?? null;
  }

  /** Call it often while this node leads, with the name of the server that leads the log. Never rejects. */
  async keepAt(server: string): Promise<void> {
    if (this.isClosed) return;
    clearTimeout(this.unused);
    this.unused = setTimeout(() => this.leave(), unusedMs);
    if (this.isDialling || this.near?.server === server) return;
    this.leave();
    if (this.options.nc.info?.server_name === server || performance.now() < this.dialAfter) return;
    this.isDialling = true;
    const found = await this.dial(server).finally(() => {
      this.isDialling = false;
    });
    if (!found) this.dialAfter = performance.now() + pauseMs;
    else if (this.isClosed || this.near) void found.close();
    else this.use(server, found);
  }

  /** What was sent by it has no answer: it may be broken, or its server slow. */
  noteFailure(): void {
    if (this.near) this.dialAfter = performance.now() + pauseMs;
    this.leave();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.unused);
    this.leave();
  }

  private leave(): void {
    const left = this.near;
    this.near = null;
    void left?.nc.close().catch(() => {});
  }

  private use(server: string, nc: NatsConnection): void {
    const near = { server, nc, client: jetstream(nc, { timeout: this.options.answerMs }) };
    this.near = near;
    void nc.closed().then(() => {
      if (this.near === near) this.near = null;
    });
  }

  /** An address does not tell the server's name, and may lead to several, so this asks all. */
  private async dial(server: string): Promise<NatsConnection | null> {
    const { nc, access } = this.options;
    const known = nc.getServers().flatMap(({ gossiped, listen }) => (gossiped ? [] : [listen]));
    const dialled = known.map(async (address) => {
      const one = await connect({ ...access, servers: [address], timeout: dialMs, reconnect: false });
      if (one.info?.server_name === server) return one;
      await one.close();
      throw new Error("It is another server");
    });
    const found = await Promise.allSettled(dialled);
    const [first = null, ...more] = found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    for (const one of more) void one.close();
    return first;
  }
}
