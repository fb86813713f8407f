// Which nats-server a node is connected to. One that hangs, or has lost the others of its cluster, keeps the connection and
// stores nothing; so when nothing is stored, the node asks the other servers, and moves to the first one that stores.
import { jetstream } from "@nats-io/jetstream";
import { type ConnectionOptions, connect, errors, type NatsConnection } from "@nats-io/transport-node";
import { isWrongLast } from "./codes.ts";
import { repeatRequest } from "./repeated-requests.ts";

/** How long nothing is stored before the other servers are asked. Shorter waits are usual on a busy machine. */
const silenceMs = 600;
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

/** What fails was sent to a server that the node has left. */
class Moved extends Error {}

export class ServerChoice {
  private silentSince: number | null = null;
  private failedAt = 0;
  /** Each makes a request fail that waits for an answer. */
  private readonly asking = new Set<(error: Error) => void>();
  private look: Look | null = null;
  private isClosed = false;

  constructor(private readonly options: Options) {}

  /** JetStream stores what this node sends, or answers that another node leads. */
  noteAnswer(): void {
    this.silentSince = null;
  }

  /**
   * Runs a request. It fails if it takes longer than `ms`, or if the node moves to another server meanwhile. A busy machine may
   * answer late, so this looks at the other servers before it gives up.
   */
  async ask<T>(ms: number, request: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    const timers = [
      setTimeout(() => this.noteFailure(since), silenceMs),
      setTimeout(() => end(new errors.TimeoutError()), ms),
    ];
    this.asking.add(end);
    try {
      return await Promise.race([request(), ended]);
    } catch (error) {
      if (!isWrongLast(error) && !(error instanceof Moved)) this.noteFailure(since);
      throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      this.asking.delete(end);
    }
  }

  /** A request that began at `since` (`performance.now()`) was not answered. */
  private noteFailure(since: number): void {
    const now = performance.now();
    if (this.silentSince === null || since - this.failedAt > apartMs) this.silentSince = since;
    this.failedAt = now;
    if (this.isSilent && !this.look) void this.leave();
  }

  close(): void {
    this.isClosed = true;
    this.look?.end();
  }

  private get isSilent(): boolean {
    return !this.isClosed && this.silentSince !== null && performance.now() - this.silentSince >= silenceMs;
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
        for (const end of this.asking) end(new Moved());
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
    const store = () => jetstream(nc).publish(this.options.subject, "", { timeout: storingMs });
    await repeatRequest(store, { ms: storingMs });
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
