// A lease as a key of JetStream that expires.
import type { KV } from "@nats-io/kv";
import type { Leader, Lease } from "../shared-log.ts";
import { isWrongLast } from "./codes.ts";
import { againMs, repeated } from "./repeated-requests.ts";
import type { ServerChoice } from "./server-choice.ts";

/** Nothing is stored to read the lease, so a server that can answer does so at once. */
const readingMs = 500;
const takingMs = 800;
/** A leader's machine may be busy, and a late renewal is as good as an early one. */
const renewingMs = 1_500;
/** Less often than a read, because what is sent is stored. */
const storingAgainMs = 2 * againMs;

export class KeyLease implements Lease {
  constructor(
    private readonly kv: KV,
    private readonly key: string,
    readonly ms: number,
    private readonly choice: ServerChoice,
    /** Called when this node has stored the lease. */
    private readonly onHeld: () => void = () => {},
  ) {}

  async holder(): Promise<{ leader: Leader; revision: number } | null> {
    const read = () => repeated(() => this.kv.get(this.key), { ms: readingMs });
    const entry = await this.choice.ask(readingMs, read);
    if (entry?.operation !== "PUT") return null;
    // A free lease shows nothing: a server that has lost the others lets it expire, too.
    this.choice.answered();
    return { leader: entry.json<Leader>(), revision: entry.revision };
  }

  async hold(leader: Leader, revision: number | null): Promise<number | null> {
    const ms = revision === null ? takingMs : renewingMs;
    try {
      const held = await this.choice.ask(ms, () => this.store(JSON.stringify(leader), revision, ms));
      if (held === null) return null;
      this.choice.answered();
      this.onHeld();
      return held;
    } catch (error) {
      if (isWrongLast(error)) return null;
      throw error;
    }
  }

  /** Every attempt names the revision that it replaces, so one that arrives late changes nothing. */
  private async store(text: string, revision: number | null, ms: number): Promise<number | null> {
    const previousSeq = revision ?? (await this.freed(ms));
    if (previousSeq === null) return null;
    let attempts = 0;
    const attempt = () => {
      attempts++;
      return this.kv.put(this.key, text, { previousSeq, timeout: ms });
    };
    // While an attempt has no answer, another one may be refused because of it.
    const isFinal = (error: unknown) => isWrongLast(error) && attempts === 1;
    return repeated(attempt, { ms, everyMs: storingAgainMs, isFinal });
  }

  /** The revision of a free lease, 0 if it has none; null if it is held. */
  private async freed(ms: number): Promise<number | null> {
    const entry = await repeated(() => this.kv.get(this.key), { ms });
    if (entry?.operation === "PUT") return null;
    return entry?.revision ?? 0;
  }

  async giveBack(revision: number): Promise<void> {
    await this.kv.delete(this.key, { previousSeq: revision });
  }
}
