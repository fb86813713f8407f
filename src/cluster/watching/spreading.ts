// Waits until the other nodes have applied an entry, such as one that ends a session: none of them may go on accepting it.
import { listSeenNodes } from "../facts.ts";
import type { SharedFacts, Talk } from "../shared-log.ts";

/** How long an answer waits for nodes that do not run, or cannot be reached. */
const patienceMs = 400;
const pauseMs = 10;
/** For how long those that did not answer are not waited for again. */
const forgivenMs = 10_000;

export class Spreading {
  private silent = { of: "", count: 0, until: 0 };

  constructor(
    private readonly shared: { readonly facts: SharedFacts; readonly talk: Pick<Talk, "positions"> },
    private readonly me: string,
  ) {}

  /** Resolves once every other node that answers has applied entry `seq`, or after a moment. Call it after the append. */
  async wait(seq: number): Promise<void> {
    // The entry is announced in this turn of the event loop, or in the next.
    await new Promise((resolve) => setImmediate(resolve));
    const seen = (await listSeenNodes(this.shared.facts)).filter(({ node }) => node !== this.me);
    // A node that starts again says so there, and counts from then on.
    const of = seen.map(({ node, at }) => `${node} ${at}`).join();
    const begin = performance.now();
    if (this.silent.of !== of || begin > this.silent.until) this.silent = { of, count: 0, until: 0 };
    const others = seen.length - this.silent.count;
    // This node answers, too.
    const all = others + 1;
    let answers = 0;
    while (others > 0 && performance.now() - begin < patienceMs) {
      // A node gets messages in the order in which they were sent, so that it answers after the entry.
      const positions = await this.shared.talk.positions(all);
      if (positions.filter((position) => position >= seq).length >= all) return;
      answers = Math.max(answers, positions.length);
      await Bun.sleep(pauseMs);
    }
    const count = Math.min(seen.length, Math.max(0, seen.length + 1 - answers));
    if (others > 0) this.silent = { of, count, until: performance.now() + forgivenMs };
  }
}
