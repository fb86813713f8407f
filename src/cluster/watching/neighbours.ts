// The other nodes that answered lately, and who among them has this node's name.
import type { Leader, Peer, Talk } from "../shared-log.ts";

const everyMs = 10_000;
/** A node that has not answered for this long is not waited for. */
const lateMs = 25_000;

export class Neighbours {
  private readonly answeredAt = new Map<string, number>();
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly talk: Pick<Talk, "peers">,
    private readonly me: { readonly node: string; readonly id: string },
    /** How much longer than usual a new leader waits for the answer of a node that answered lately. */
    private readonly patienceMs = 800,
  ) {}

  /** Another process that has this node's name and answers; null if there is none. */
  async twin(): Promise<Peer | null> {
    const answers = await this.ask([], 0);
    return answers.find(({ node, id }) => node === this.me.node && id !== this.me.id) ?? null;
  }

  /** As `twin`, but asks only if the last answers are old, and never rejects. */
  async twinIfDue(): Promise<Peer | null> {
    if (performance.now() - this.askedAt < everyMs) return null;
    this.askedAt = performance.now();
    return this.twin().catch(() => null);
  }

  /** The names of the others that answered lately. */
  get recent(): string[] {
    const since = performance.now() - lateMs;
    return [...this.answeredAt].flatMap(([node, at]) => (at > since ? [node] : []));
  }

  /** The positions of all nodes that answer. A busy one may answer late, so each that answered lately is waited for. */
  async positions(dead: string | null): Promise<number[]> {
    const wanted = this.recent.filter((node) => node !== dead);
    return (await this.ask(wanted, this.patienceMs)).map(({ position }) => position);
  }

  private async ask(wanted: readonly string[], ms: number): Promise<Peer[]> {
    const answers = await this.talk.peers(wanted, ms);
    const now = performance.now();
    for (const { node } of answers)
      if (node !== null && node !== this.me.node) this.answeredAt.set(node, now);
    return answers;
  }
}

/** What is said of two processes with one name. */
export function explainTakenName({ node }: Pick<Leader, "node">): string {
  return (
    `Another server runs as the node ${node} of this cluster. Give each node a name of its own (node in confab.toml, or --node), ` +
    "and start this one again"
  );
}
