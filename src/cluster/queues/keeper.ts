// Lets clients go on with the queues of this node at another one. The ID of a queue says how it was opened, and names the terms, which
// are stored once for all queues with the same.
import type { App } from "@/app.ts";
import { Semaphore } from "@/kernel/lib/concurrency.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { keepQueues, type NamedQueue, type QueueKeeper } from "@/outside/events/host.ts";
import { type Opening, type QueueTerms, terms } from "@/outside/events/schema.ts";
import type { ClusterNode } from "../node.ts";
import { type SharedLog, termsMs, withRetries } from "../shared-log.ts";
import { unwellMs } from "../watching/log-end.ts";
import { EndedQueues } from "./ended.ts";
import type { Past } from "./past.ts";
import { QueueNames } from "./queue-names.ts";

/** How long a registration waits until its terms are stored. If NATS does not answer, clients may still register. */
const storingMs = 500;
const retryMs = 5_000;
const lookMs = 1_000;
/** So long after a node became unwell, proxies have noticed it. */
const noticedMs = 5_000;
/** Well before a record expires. */
const renewMs = termsMs / 2.4;
/** How long a client waits for NATS, for instance while it elects its own leaders. */
const patienceMs = 8_000;
/** The clients of a dead node come together. More questions at once would keep the lease of a leader waiting behind them. */
const maxAsked = 32;
/** What each person may have stored in the time for which NATS keeps it. Beyond, their queues do not go on at another node. */
const maxCharacters = 1_000_000;
/** So many terms may be in memory that no open queue has, or as many again as open queues have. */
const maxUnused = 100;

interface Stored {
  readonly text: string;
  /** When it was last stored; null if it is not, or if that has failed. */
  at: number | null;
  /** Set while it is being stored. */
  storing: Promise<void> | null;
}

interface Options {
  readonly terms: SharedLog["terms"];
  readonly app: Pick<App, "env" | "system">;
  /** Known to the nodes alone. */
  readonly secret: string;
}

export class NodeQueues implements QueueKeeper {
  readonly past: Past;
  /** By digest: the terms of the queues of this node. */
  private readonly stored = new Map<string, Stored>();
  private maxStored = maxUnused;
  private readonly names: QueueNames;
  private allowance = { spent: new Map<number, number>(), until: 0 };
  private readonly ended = new EndedQueues();
  private readonly semaphore = new Semaphore(maxAsked);
  /** Clients that could go to another node have gone. */
  private isLeft = false;
  private readonly timers: readonly ReturnType<typeof setInterval>[];

  constructor(
    private readonly node: Pick<
      ClusterNode,
      "past" | "isCurrent" | "unknownMs" | "leadsSurely" | "checkLog" | "reachBack"
    >,
    private readonly options: Options,
  ) {
    const { app, secret } = options;
    this.past = node.past;
    this.names = new QueueNames(secret);
    keepQueues(app.system, this);
    app.env.queues.onEnd((id) => this.ended.add(id));
    this.timers = [
      setInterval(() => void this.renew(), retryMs),
      setInterval(() => this.endOutdated(), lookMs),
    ];
  }

  stop(): void {
    for (const one of this.timers) clearInterval(one);
  }

  /** What clients wait for would not come. Once a proxy sends their next polls to another node, or this node refuses them, they need not wait. */
  private endOutdated(): void {
    const { unknownMs, isCurrent } = this.node;
    const isLeft = unknownMs >= unwellMs + noticedMs;
    if (!isCurrent || (isLeft && !this.isLeft)) this.options.app.env.queues.answerAll();
    this.isLeft = isLeft;
  }

  name(given: QueueTerms, userId: number): NamedQueue {
    const text = JSON.stringify(given);
    const digest = this.names.digestOf(text);
    const idOf = (start: number) => this.names.idOf({ start, digest }, userId);
    const known = this.stored.get(digest);
    if (!known && !this.mayStore(text.length, userId)) return { idOf, kept: null };
    return { idOf, kept: this.keep(digest, known ?? this.remember(digest, text, null)) };
  }

  /** Counts what is stored for a person for the first time. */
  private mayStore(characters: number, userId: number): boolean {
    const now = performance.now();
    if (now >= this.allowance.until) this.allowance = { spent: new Map(), until: now + termsMs };
    const { spent } = this.allowance;
    const sum = (spent.get(userId) ?? 0) + characters;
    if (sum > maxCharacters) return false;
    spent.set(userId, sum);
    return true;
  }

  private keep(digest: string, one: Stored): Promise<void> | null {
    if (!isDue(one)) return null;
    return Promise.race([this.store(digest, one), Bun.sleep(storingMs)]);
  }

  async find(queueId: string, userId: number): Promise<Opening | null> {
    const named = this.names.read(queueId, userId);
    if (!named || this.ended.has(queueId)) return null;
    const { start, digest } = named;
    const known = this.stored.get(digest)?.text;
    const text = known ?? (await this.semaphore.run(() => patiently(() => this.options.terms.get(digest))));
    const found = text === null ? null : terms.safeParse(JSON.parse(text)).data;
    if (!found || text === null) return null;
    if (!this.stored.has(digest)) this.remember(digest, text, performance.now());
    return { ...found, start };
  }

  private remember(digest: string, text: string, at: number | null): Stored {
    if (this.stored.size >= this.maxStored) {
      const listUsed = this.used();
      for (const known of this.stored.keys()) if (!listUsed.has(known)) this.stored.delete(known);
      this.maxStored = maxUnused + 2 * this.stored.size;
    }
    const one = { text, at, storing: null };
    this.stored.set(digest, one);
    return one;
  }

  /** The digests of the terms of all open queues. */
  private used(): Set<string | null> {
    return new Set([...this.options.app.env.queues.all.keys()].map((id) => this.names.digestIn(id)));
  }

  async catchUp(): Promise<void> {
    if (this.node.leadsSurely) return;
    // A shared check may have begun before the client got its event, so only a second one is certain to find it.
    for (let n = 0; n < 2; n++) {
      await patiently(async () => {
        if (!(await this.node.checkLog())) throw new Error("The log cannot be read");
      });
    }
  }

  reachBack(id: number): Promise<void> {
    return patiently(() => this.node.reachBack(id));
  }

  /** Never rejects. Registrations that come meanwhile wait for the same. */
  private store(digest: string, one: Stored): Promise<void> {
    one.storing ??= this.options.terms
      .put(digest, one.text)
      .then(
        () => {
          one.at = performance.now();
        },
        () => {
          one.at = null;
        },
      )
      .finally(() => {
        one.storing = null;
      });
    return one.storing;
  }

  /** Stores terms that failed or would expire; those that no open queue has are left to expire. */
  private async renew(): Promise<void> {
    let used: ReturnType<typeof this.used> | undefined;
    for (const [digest, one] of this.stored) {
      if (!isDue(one)) continue;
      used ??= this.used();
      if (used.has(digest)) await this.store(digest, one);
      else this.stored.delete(digest);
    }
  }
}

function isDue({ at }: Stored): boolean {
  return at === null || performance.now() - at > renewMs;
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withRetries(work, () => false, patienceMs);
  } catch (error) {
    const failure = new AppError("NOT_NOW", "The server cannot find this queue just now. Please try again.");
    failure.cause = error;
    throw failure;
  }
}
