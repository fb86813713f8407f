// Work on a topic that takes several transactions, of which no other may see a half: moves and deletions of large topics. While one is
// under way, those that would start from its topics, or lead to them, wait. One process writes, so they are kept in its memory.
import type { Reads } from "@/kernel/context.ts";
import { perApp } from "@/kernel/per-app.ts";
import { inTurns, type Steps } from "@/kernel/steps.ts";
import { topicKey } from "@/places/topics/schema.ts";

export interface TopicAt {
  conversationId: number;
  topic: string;
}

const underWay = perApp(() => new Set<TopicWork>());

/** Thrown inside a transaction that has changed nothing: it is to run again after `wait`. */
export class NotYet extends Error {
  constructor(readonly wait: () => Promise<void>) {
    super("This waits for other work");
  }
}

/** Work of one request, in several transactions. */
export class TopicWork {
  private topics: readonly string[] = [];
  private readonly ended = Promise.withResolvers<void>();

  /** Reserves topics until the work ends. Throws `NotYet` while another holds one of them. */
  reserve(reads: Reads, topics: readonly TopicAt[]): void {
    const all = underWay(reads);
    const keys = topics.map(({ conversationId, topic }) => `${conversationId} ${topicKey(topic)}`);
    for (const other of all) {
      if (other !== this && other.topics.some((key) => keys.includes(key))) {
        throw new NotYet(() => other.ended.promise);
      }
    }
    this.topics = keys;
    all.add(this);
  }

  end(reads: Reads): void {
    underWay(reads).delete(this);
    this.ended.resolve();
  }
}

/** Runs work on topics, which `run` reserves in its transactions, and ends it. */
export async function workingOnTopics<T>(reads: Reads, run: (work: TopicWork) => Promise<T>): Promise<T> {
  const work = new TopicWork();
  try {
    return await run(work);
  } finally {
    work.end(reads);
  }
}

/** Runs a transaction, again whenever it has to wait. */
export async function onceReady<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      await error.wait();
    }
  }
}

/** For a check that takes long, before a transaction: `NotYet` has it run in turns. */
export function inTurnsFirst(steps: () => Steps<void>): NotYet {
  return new NotYet(() => inTurns(steps()));
}
