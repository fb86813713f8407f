// Which nats-server a node is connected to. One that hangs, or has lost the others of its cluster, keeps the connection and
// stores nothing; so when nothing is stored, the node asks the other servers, and moves to the first one that stores.
import { jetstream } from "@nats-io/jetstream";
import { type ConnectionOptions, connect, errors, type NatsConnection } from "@nats-io/transport-node";

/** How long nothing is stored before the other servers are asked. Shorter waits are usual on a busy machine. */
const silenceMs = 700;
/** Failures that lie further apart have nothing to do with each other. */
const apartMs = 5_000;
const dialMs = 1_000;
const storingMs = 800;
const pauseMs = 200;

interface Options {
  readonly nc: NatsConnection;
  /** As those of `nc`, for connections of its own. */
  readonly access: ConnectionOptions;
  /** What a server stores a few bytes in to show that it can; they expire. */
  readonly subject: string;
  /** Makes `nc` connect to this server next. */
  readonly prefer: (server: string) => void;
}

export class ServerChoice {
  private silentSince: number | null = null;
  /** How many requests failed since then, and when the last one did. */
  private failures = 0;
  private failedAt = 0;
  private look: Look | null = null;
  private isClosed = false;

  constructor(private readonly options: Options) {}

  /** JetStream stores what this node sends, or answers that another node leads. */
  answered(): void {
    this.silentSince = null;
  }

  /** A request that began at `since` (`performance.now()`) was not answered. */
  failed(since: number): void {
    const now = performance.now();
    if (this.silentSince === null || since - this.failedAt > apartMs) {
      this.silentSince = since;
      this.failures = 0;
    }
    this.failures++;
    this.failedAt = now;
    if (this.isSilent && !this.look) void this.leave();
  }

  close(): void {
    this.isClosed = true;
    this.look?.end();
  }

  private get isSilent(): boolean {
    if (this.isClosed || this.silentSince === null || this.failures < 2) return false;
    return performance.now() - this.silentSince >= silenceMs;
  }

  private async leave(): Promise<void> {
    const { nc, prefer } = this.options;
    const look = new Look(this.options);
    this.look = look;
    while (this.isSilent) {
      const found = await look.oneThatStores(this.others);
      if (found !== null && this.isSilent) {
        this.silentSince = null;
        prefer(found);
        await nc.reconnect();
      } else await Bun.sleep(pauseMs);
    }
    look.end();
    this.look = null;
  }

  private get others(): string[] {
    const { nc } = this.options;
    const all = nc.getServers().flatMap(({ gossiped, listen }) => (gossiped ? [] : [listen]));
    const others = all.filter((one) => one !== nc.getServer());
    // One address may lead to several servers.
    return others.length > 0 ? others : all;
  }
}

/** Connections to other servers: one for each, because an attempt to connect cannot be ended by itself. */
class Look {
  private readonly ways = new Map<string, Promise<NatsConnection>>();
  private isOver = false;

  constructor(private readonly options: Pick<Options, "access" | "subject">) {}

  /** The first of these servers that stores something; null if none does soon. */
  oneThatStores(servers: readonly string[]): Promise<string | null> {
    return Promise.any(servers.map((one) => this.stores(one))).catch(() => null);
  }

  end(): void {
    this.isOver = true;
    for (const way of this.ways.values()) {
      way.then(
        (nc) => nc.close(),
        () => {},
      );
    }
  }

  private async stores(server: string): Promise<string> {
    let way = this.ways.get(server);
    if (!way) {
      way = this.connect(server);
      this.ways.set(server, way);
    }
    const nc = await within(dialMs, way);
    await jetstream(nc).publish(this.options.subject, "", { timeout: storingMs });
    return server;
  }

  private connect(server: string): Promise<NatsConnection> {
    return connect({
      ...this.options.access,
      servers: [server],
      timeout: dialMs,
      waitOnFirstConnect: true,
      reconnectToServer: () => {
        if (this.isOver) throw new Error("No longer needed");
        return null;
      },
    });
  }
}

/** Rejects with a timeout unless the work is done in time. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new errors.TimeoutError()), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
