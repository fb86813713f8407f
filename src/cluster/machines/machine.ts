// One machine of a cluster for which Confab runs the nats-servers: what it tells the others and gives those that join, and its nats-server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isSame } from "@/foundation/secrets/secrets.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { namesApart } from "../examination/meta.ts";
import { checkMonitors, checkWhole, metasAt } from "../examination/monitors.ts";
import { reasonOf } from "../reasons.ts";
import { certificateFor } from "./authority.ts";
import { greets, NatsChild } from "./nats-child.ts";
import { configure } from "./nats-program.ts";
import {
  files,
  folderOf,
  type Machine,
  machineShape,
  machinesUrl,
  monitorsOf,
  ownMachine,
  ports,
  type Seat,
  seatIn,
  seats,
  sharedShape,
  writeSeat,
} from "./seat.ts";
import { hasExpired, tokenWith } from "./tokens.ts";

type Token = Seat["tokens"][number];
type Fetch = (request: Request, env?: unknown) => Response | Promise<Response>;
type Tell = (sentence: string) => void;

export const paths = {
  authority: "/machines/authority",
  join: "/machines/join",
  machines: "/machines",
} as const;
const secretHeader = "x-confab-machines";
const nameHeader = "x-confab-machine";

/** What a machine asks for that joins. */
export const joiningShape = machineShape.extend({ secret: z.string() });
/** What it gets: its certificate, and of a node also the authority's key, so that any node may admit others. */
export const admittedShape = sharedShape.extend({
  name: z.string(),
  has_begun: z.boolean(),
  machines: z.array(machineShape),
  ca_key: z.string().nullable(),
  cert: z.string(),
  key: z.string(),
  /** The credentials of the store for files. */
  s3: z.string().nullable(),
});
export type Admitted = z.infer<typeof admittedShape>;

const seenShape = z.object({
  machines: z.array(machineShape),
  has_begun: z.boolean(),
  waits_for: z.string(),
  /** How often the one that asks is to have been started again. */
  restarts: z.int(),
});

const used = "The token was used: it lets no other machine in.";
const maxBody = 4_096;
const answerMs = 5_000;
const pollMs = 500;
/** Nobody need know what is missing while nats-servers start. */
const startingMs = 6_000;
/** How long nats-servers may take to form a cluster before one that stayed alone is started again. */
const formingMs = 20_000;
const repeatMs = 60_000;

/** Listens over TLS; resolves with a function that stops. Rejects with the error of the system. */
export type Listen = (
  answer: Fetch,
  at: { host: string; port: number; certificate: { cert: string; key: string } },
) => Promise<() => Promise<void>>;

interface Options {
  readonly listen: Listen;
  readonly dataDir: string;
  readonly seat: Seat;
  /** The path of a nats-server. */
  readonly program: string;
  readonly log: Log;
}

export class MachineHost {
  private seat: Seat;
  private readonly nats: NatsChild;
  private stopListening: (() => Promise<void>) | null = null;
  private nodes: Fetch | null = null;
  private waitsFor = "";
  /** How often the nats-server of each machine was found alone while the cluster formed. */
  private readonly restarts = new Map<string, number>();

  constructor(private readonly options: Options) {
    this.seat = options.seat;
    this.nats = new NatsChild(options.program, folderOf(options.dataDir), options.log);
  }

  /** Listens for the other machines, at its own port. */
  async listen(): Promise<void> {
    const { address } = ownMachine(this.seat);
    const certificate = { cert: this.read(files.cert), key: this.read(files.key) };
    const at = { host: address, port: ports.machines, certificate };
    const answer: Fetch = (request, env) => this.receive(request, env);
    this.stopListening = await this.options.listen(answer, at).catch((error) => {
      throw new Error(refusalOf(error, address));
    });
  }

  /** Passes requests of other nodes to this one from now on. */
  serveNodes(nodes: Fetch): void {
    this.nodes = nodes;
  }

  async closeListener(): Promise<void> {
    const { stopListening } = this;
    this.stopListening = null;
    this.nodes = null;
    await stopListening?.();
  }

  async stop(): Promise<void> {
    await this.closeListener();
    await this.nats.stop();
  }

  /**
   * Starts the nats-server; of a new cluster, waits before until all machines have joined, and then until its log has begun. `begin` makes
   * it begin, on the machine where the cluster was founded. `tell` hears what this waits for.
   */
  async form(begin: () => Promise<void>, tell: Tell): Promise<void> {
    if (this.seat.has_begun) return this.startNats();
    const say = this.telling(tell);
    if (this.seat.founder === ownMachine(this.seat).address) await this.formAsFounder(begin, say);
    else await this.followFounder(say);
  }

  private async startNats(): Promise<void> {
    const isOther = configure(this.options.dataDir, this.seat);
    await this.nats.start(async () => !isOther && (await greets(ownMachine(this.seat).address, ports.nats)));
  }

  private async formAsFounder(begin: () => Promise<void>, say: Tell): Promise<void> {
    while (this.seat.machines.length < seats) {
      say(missingText(this.seat));
      await Bun.sleep(pollMs);
    }
    await this.startNats();
    const startedAt = performance.now();
    let since = startedAt;
    for (let fault = await this.findFault(); fault !== null; fault = await this.findFault()) {
      if (performance.now() > startedAt + startingMs) say(fault);
      if (performance.now() < since + formingMs) continue;
      since = performance.now();
      await this.restartThoseApart();
    }
    await begin();
    this.update({ has_begun: true });
  }

  private async followFounder(say: Tell): Promise<void> {
    const isComplete = () => this.seat.machines.length >= seats;
    let [isStarted, restarts] = [false, 0];
    for (;;) {
      if (isComplete() && !isStarted) {
        await this.startNats();
        isStarted = true;
      }
      const seen = await this.askFounder().catch((error: unknown) => {
        say(
          `The machine at ${this.seat.founder}, where the cluster begins, does not answer: ${reasonOf(error, "node_ca")}.`,
        );
      });
      if (seen) {
        if (seen.machines.length > this.seat.machines.length) this.update({ machines: seen.machines });
        if (seen.has_begun) return this.update({ has_begun: true });
        if (seen.restarts > restarts && isStarted) this.nats.restart();
        restarts = seen.restarts;
        say(seen.waits_for);
      }
      await Bun.sleep(pollMs);
    }
  }

  private async askFounder(): Promise<z.infer<typeof seenShape>> {
    const { founder, secret, name } = this.seat;
    const answer = await fetch(machinesUrl(founder) + paths.machines, {
      headers: { [secretHeader]: secret, [nameHeader]: name },
      signal: AbortSignal.timeout(answerMs),
      tls: { ca: this.read(files.ca) },
    });
    if (!answer.ok) throw new Error(`it answers with status ${answer.status}`);
    return seenShape.parse(await answer.json());
  }

  /** Why the log cannot begin yet; null if it can. */
  private async findFault(): Promise<string | null> {
    const monitored = { monitors: monitorsOf(this.seat), replicas: seats, ca: this.read(files.ca) };
    try {
      await checkMonitors(monitored, true, pollMs);
      await checkWhole(monitored, pollMs);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** When new nats-servers start at the same moment, sometimes two form a cluster without the third, until that one starts again. */
  private async restartThoseApart(): Promise<void> {
    const apart = namesApart(await metasAt(monitorsOf(this.seat), this.read(files.ca)));
    for (const name of apart) {
      this.restarts.set(name, (this.restarts.get(name) ?? 0) + 1);
      this.options.log.warn("nats_alone", { node: name });
      if (name === this.seat.name) this.nats.restart();
    }
  }

  private async receive(request: Request, env: unknown): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === paths.authority) return new Response(this.read(files.ca));
    if (pathname === paths.join && request.method === "POST") return this.admit(request);
    if (pathname === paths.machines) return this.describe(request);
    return this.nodes?.(request, env) ?? new Response(null, { status: 503 });
  }

  private describe({ headers }: Request): Response {
    if (!isSame(headers.get(secretHeader) ?? "", this.seat.secret))
      return new Response(null, { status: 403 });
    const { machines, has_begun } = this.seat;
    const restarts = this.restarts.get(headers.get(nameHeader) ?? "") ?? 0;
    const seen: z.infer<typeof seenShape> = { machines, has_begun, waits_for: this.waitsFor, restarts };
    return Response.json(seen);
  }

  /** Takes a machine into the cluster, if its token is good. */
  private async admit(request: Request): Promise<Response> {
    const text = await textWithin(request, maxBody);
    const { data } = joiningShape.safeParse(text === null ? null : parseJson(text));
    if (!data) return refuse("This is no request of a machine that joins.", 400);
    const { secret, ...machine } = data;
    // A command may have added one.
    this.seat = { ...this.seat, tokens: seatIn(this.options.dataDir)?.tokens ?? [] };
    const token = tokenWith(secret, this.seat.tokens);
    // Nobody without a valid token learns anything of the cluster.
    if (!token)
      return refuse(
        "The token is not known here: it is of another cluster, or a newer one has taken its place.",
      );
    if (hasExpired(token)) {
      const again =
        token.replaces === null
          ? "stop Confab where the cluster begins, and run 'confab cluster init' there again"
          : `run 'confab cluster replace ${token.replaces}' again`;
      return refuse(`The token has expired: it held for a day. For a new one, ${again}.`);
    }
    return token.replaces === null ? this.admitNew(machine, token) : this.admitInPlace(machine, token);
  }

  private async admitNew(machine: Machine, token: Token): Promise<Response> {
    const { machines } = this.seat;
    // One whose connection broke, or that was restarted, asks again.
    const isAgain =
      !this.seat.has_begun &&
      machines.some((one) => one.name === machine.name && one.address === machine.address);
    if (!isAgain) {
      const refusal = token.places > 0 ? refusalIn(this.seat, machine) : used;
      if (refusal !== null) return refuse(refusal);
      this.update({ machines: [...machines, machine] });
      this.use(token);
    }
    return this.welcome(machine);
  }

  /** The name and the address stay, so the other machines need to learn nothing. */
  private async admitInPlace({ address, is_witness }: Machine, token: Token): Promise<Response> {
    const place = this.seat.machines.find(({ name }) => name === token.replaces);
    if (!place || token.places === 0) return refuse(used);
    if (address !== place.address)
      return refuse(
        `${place.name} has the address ${place.address}: give it to this machine, which has ${address}.`,
      );
    if (is_witness !== place.is_witness)
      return refuse(
        `${place.name} is ${place.is_witness ? "a witness: add" : "a node: leave out"} --witness.`,
      );
    this.use(token);
    return this.welcome(place);
  }

  private use({ hash }: Token): void {
    const tokens = this.seat.tokens.map((one) =>
      one.hash === hash ? { ...one, places: one.places - 1 } : one,
    );
    this.update({ tokens });
  }

  private async welcome(machine: Machine): Promise<Response> {
    this.options.log.info("machine_joined", { node: machine.name, address: machine.address });
    return Response.json(await this.giveTo(machine));
  }

  private async giveTo({ name, address, is_witness }: Machine): Promise<Admitted> {
    const authority = { cert: this.read(files.ca), key: this.read(files.caKey) };
    const { settings, ...seat } = this.seat;
    const hasStore = !is_witness && "s3_bucket" in settings;
    return {
      ...sharedShape.parse({ ...seat, settings: is_witness ? {} : settings }),
      name,
      has_begun: seat.has_begun,
      machines: seat.machines,
      ca_key: is_witness ? null : authority.key,
      ...(await certificateFor(authority, name, address)),
      s3: hasStore ? this.read(files.s3) : null,
    };
  }

  private update(changed: Partial<Seat>): void {
    this.seat = { ...this.seat, ...changed };
    writeSeat(this.options.dataDir, this.seat);
  }

  private read(file: string): string {
    return readFileSync(join(folderOf(this.options.dataDir), file), "utf8");
  }

  /** Says each sentence once, and again after a while if it still holds. */
  private telling(tell: Tell): Tell {
    let at = 0;
    return (sentence) => {
      if (sentence === "" || (sentence === this.waitsFor && performance.now() < at + repeatMs)) return;
      at = performance.now();
      this.waitsFor = sentence;
      tell(sentence);
    };
  }
}

function missingText({ machines, tokens }: Seat): string {
  const missing = seats - machines.length;
  const there = machines.map(({ name, address }) => `${name} (${address})`).join(" and ");
  const more = missing === 1 ? "one more machine joins" : `${missing} more machines join`;
  const here = `So far there ${machines.length === 1 ? "is" : "are"} ${there}.`;
  if (tokens.every(hasExpired))
    return `The token has expired before ${more}: stop this, and run 'confab cluster init' again for a new one. ${here}`;
  return `Waiting until ${more}, by 'confab serve --join' with the token. ${here}`;
}

/** Why a machine cannot join; null if it can. */
function refusalIn({ machines }: Seat, { name, address, is_witness }: Machine): string | null {
  if (machines.length >= seats) return `The cluster has its ${seats} machines already.`;
  if (machines.some((one) => one.name === name))
    return `Another machine has the name ${name} already; give this one another with --node.`;
  if (machines.some((one) => one.address === address))
    return `Another machine has the address ${address} already; give this one's own with --node-address.`;
  if (is_witness && machines.some((one) => one.is_witness))
    return "The cluster has a witness already, and needs two nodes.";
  return null;
}

function refuse(error: string, status = 403): Response {
  return Response.json({ error }, { status });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The text of a request; null if it is longer than that. */
async function textWithin({ body }: Request, max: number): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > max) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function refusalOf({ code, message }: Error & { code?: string }, address: string): string {
  const { machines: port } = ports;
  if (code === "EADDRINUSE")
    return `Port ${port} of ${address} is taken; stop what uses it: machines of a cluster talk there.`;
  if (code === "EADDRNOTAVAIL")
    return `This machine does not have the address ${address}, by which the others know it.`;
  return `Nothing can listen at port ${port} of ${address}: ${message}`;
}
