// A lease as a key of JetStream. It expires, too, for nodes of earlier versions, which wait for that; others go by its revision.
import type { KV } from "@nats-io/kv";
import { errors, type Msg, type NatsConnection } from "@nats-io/transport-node";
import type { Leader, Lease, LeaseRecord } from "../shared-log.ts";
import { isWrongLast } from "./codes.ts";
import { againMs, repeatRequest } from "./repeated-requests.ts";
import type { ServerChoice } from "./server-choice.ts";

/** Nothing is stored to read the lease, so a server that can answer does so at once. */
const readingMs = 500;
const takingMs = 800;
/** A leader's machine may be busy, and a late renewal is as good as an early one. */
const renewingMs = 1_500;
/** How long the holder's answer is waited for; that nobody is there to answer comes at once. */
const hearingMs = 100;
/** Less often than a read, because what is sent is stored. */
const storingAgainMs = 2 * againMs;

export class KeyLease implements Lease {
  private lastRead: number | null = null;
  /** The holds of this process that say so to others that ask. */
  private readonly answering = new Set<string>();

  constructor(
    private readonly kv: KV,
    private readonly key: string,
    readonly ms: number,
    private readonly choice: ServerChoice,
    /** Where the holders of this lease can be asked. */
    private readonly at: { readonly nc: NatsConnection; readonly subject: string },
    /** Called when this node has stored the lease. */
    private readonly onHeld: () => void = () => {},
  ) {}

  async read(): Promise<LeaseRecord | null> {
    const get = () => repeatRequest(() => this.kv.get(this.key), { ms: readingMs });
    const entry = await this.choice.ask(readingMs, get);
    if (!entry) return null;
    const { revision } = entry;
    if (entry.operation !== "PUT") return { revision, leader: null };
    // Only a change shows that something is stored: a server that has lost the others answers with what it had.
    if (revision !== this.lastRead) this.choice.noteAnswer();
    this.lastRead = revision;
    return { revision, leader: entry.json<Leader>() };
  }

  async hold(leader: Leader, revision: number, isRenewed: boolean): Promise<number | null> {
    const ms = isRenewed ? renewingMs : takingMs;
    const text = JSON.stringify({ ...leader, answers: this.answer(leader) } satisfies Leader);
    try {
      const held = await this.choice.ask(ms, () => this.store(text, revision, ms));
      this.choice.noteAnswer();
      this.onHeld();
      return held;
    } catch (error) {
      if (isWrongLast(error)) return null;
      throw error;
    }
  }

  /** Every attempt names the revision that it replaces, so one that arrives late changes nothing. */
  private store(text: string, revision: number, ms: number): Promise<number> {
    let attempts = 0;
    const attempt = () => {
      attempts++;
      return this.kv.put(this.key, text, { previousSeq: revision, timeout: ms });
    };
    // While an attempt has no answer, another one may be refused because of it.
    const isFinal = (error: unknown) => isWrongLast(error) && attempts === 1;
    return repeatRequest(attempt, { ms, everyMs: storingAgainMs, isFinal });
  }

  /** NATS itself says that nobody is there once it has lost the connection of the holder's process, as when that is killed. */
  async hasLeft({ holdId, answers }: Leader): Promise<boolean> {
    if (holdId === undefined || !answers) return false;
    try {
      await this.at.nc.request(`${this.at.subject}.${holdId}`, "", { timeout: hearingMs });
      return false;
    } catch (error) {
      return error instanceof errors.RequestError && error.isNoResponders();
    }
  }

  /** Has this process answer others for as long as it is connected. */
  private answer({ holdId }: Leader): boolean {
    if (holdId === undefined) return false;
    if (this.answering.has(holdId)) return true;
    this.answering.add(holdId);
    const callback = (error: Error | null, message: Msg) => void (error ?? message.respond());
    this.at.nc.subscribe(`${this.at.subject}.${holdId}`, { callback });
    return true;
  }

  async giveBack(revision: number): Promise<void> {
    await this.kv.delete(this.key, { previousSeq: revision });
  }
}
