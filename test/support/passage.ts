// A TCP proxy that can drop everything without closing connections, like a broken network, or be slow, like one far away.
import { connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";

/** How slow a line is. */
interface Slowness {
  /** One way. */
  delayMs: number;
  /** Of so many packets, one is lost: it comes again after `lostMs`, and what follows waits for it. */
  lostOf: number;
  lostMs: number;
}

/** Delivers everything later, in its order, and then the end. */
function late({ delayMs, lostOf, lostMs }: Slowness): Transform {
  let packets = 0;
  let due = 0;
  const onTheWay: Buffer[] = [];
  let end: (() => void) | undefined;
  return new Transform({
    transform(bytes: Buffer, _, taken) {
      const isLost = ++packets % lostOf === 0;
      due = Math.max(due, performance.now() + delayMs + (isLost ? lostMs : 0));
      onTheWay.push(bytes);
      // Timers of the same moment may be called in any order: each delivers what has waited longest.
      setTimeout(() => {
        this.push(onTheWay.shift());
        if (onTheWay.length === 0) end?.();
      }, due - performance.now());
      taken();
    },
    flush(ended) {
      if (onTheWay.length === 0) ended();
      else end = ended;
    },
  });
}

export class Passage {
  private readonly sockets = new Set<Socket>();
  private readonly answering = new Set<Socket>();
  /** The first line of the request that waits for its answer on a connection, for both of its ends. */
  private readonly waiting = new Map<Socket, string>();
  private isCut = false;
  private isMute = false;
  private isRefusing = false;

  private constructor(
    readonly port: number,
    private readonly server: Server,
    private readonly slowness: Slowness | null,
  ) {}

  static async to(target: number, slowness: Slowness | null = null): Promise<Passage> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const passage = new Passage(typeof address === "object" && address ? address.port : 0, server, slowness);
    server.on("connection", (client) => passage.pass(client, target));
    return passage;
  }

  private pass(client: Socket, target: number): void {
    if (this.isRefusing) {
      client.destroy();
      return;
    }
    const server = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      if (from === server) this.answering.add(from);
      from.on("error", () => to.destroy());
      from.on("data", (bytes: Buffer) => {
        const line = bytes.toString("latin1").split("\r\n", 1)[0] ?? "";
        for (const one of [client, server])
          if (from === client) this.waiting.set(one, line);
          else this.waiting.delete(one);
      });
      from.on("close", () => {
        this.sockets.delete(from);
        this.waiting.delete(from);
        this.answering.delete(from);
        to.destroy();
      });
      if (this.slowness) from.pipe(late(this.slowness)).pipe(to);
      else from.pipe(to);
      if (this.isCut || (this.isMute && from === server)) from.pause();
    }
  }

  /** How many clients are connected. */
  get connections(): number {
    return this.sockets.size / 2;
  }

  /** Whether a request for this waits for its answer. */
  waits(path: string): boolean {
    return [...this.waiting.values()].some((line) => line.includes(path));
  }

  /** From now on, nothing arrives in either direction. */
  cut(): void {
    this.isCut = true;
    for (const one of this.sockets) one.pause();
  }

  /** Requests for this that wait for an answer get none, without a word; other connections are closed, and new ones work. */
  strand(path: string): void {
    for (const one of this.sockets)
      if (this.waiting.get(one)?.includes(path)) one.pause();
      else one.destroy();
  }

  /** From now on, everything arrives at the server, and nothing comes back. */
  mute(): void {
    this.isMute = true;
    for (const one of this.answering) one.pause();
  }

  /** From now on, connections are closed, as if no server were there. */
  refuse(): void {
    this.isRefusing = true;
    for (const one of this.sockets) one.destroy();
  }

  /** Delivers what was held back, or closes its connections. */
  mend(isLost = false): void {
    this.isCut = false;
    this.isMute = false;
    this.isRefusing = false;
    if (isLost) for (const one of this.sockets) one.destroy();
    for (const one of this.sockets) one.resume();
  }

  close(): void {
    for (const one of this.sockets) one.destroy();
    this.server.close();
  }
}
