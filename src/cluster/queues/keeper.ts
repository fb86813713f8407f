// Stores how the queues of this node were opened, so that another node can continue them.
import type { App } from "@/app.ts";
import { AppError } from "@/kernel/errors.ts";
import type { EventQueue } from "@/kernel/event-queue.ts";
import { Slots } from "@/kernel/slots.ts";
import { keepQueues, type QueueKeeper } from "@/outside/events/host.ts";
import { type Opening, opening } from "@/outside/events/schema.ts";
import type { ClusterNode } from "../node.ts";
import { type SharedLog, withRetries } from "../shared-log.ts";
import type { Past } from "./past.ts";

/** How long a registration waits until its queue's record is stored. If NATS does not answer, clients may still register. */
const storingMs = 500;
const retryMs = 5_000;
/** Well before a record expires. */
const renewMs = 1_500_000;
/** How long a client waits for NATS, for instance while it elects its own leaders. */
const patienceMs = 8_000;
/** The clients of a dead node come together. More questions at once would keep the lease of a leader waiting behind them. */
const maxAsked = 32;
const idForm = /^\d{1,16}-[0-9a-f-]{36}$/;

interface Stored {
  readonly text: string;
  /** When it was last stored; null if that has failed. */
  at: number | null;
}

export class NodeQueues implements QueueKeeper {
  readonly past: Past;
  private readonly stored = new Map<string, Stored>();
  private readonly slots = new Slots(maxAsked);
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(
    private readonly node: Pick<ClusterNode, "past" | "leads" | "checkLog">,
    private readonly openings: SharedLog["openings"],
    private readonly app: Pick<App, "env" | "system">,
  ) {
    this.past = node.past;
    keepQueues(app.system, this);
    app.env.queues.onEnd(({ id }) => void this.forget(id));
    this.timer = setInterval(() => void this.renew(), retryMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async keep({ id }: EventQueue, terms: Opening): Promise<void> {
    const one = { text: JSON.stringify(terms), at: null };
    this.stored.set(id, one);
    await Promise.race([this.store(id, one), Bun.sleep(storingMs)]);
  }

  async find(queueId: string): Promise<Opening | null> {
    if (!idForm.test(queueId)) return null;
    const text = await this.slots.run(() => patiently(() => this.openings.get(queueId)));
    const found = text === null ? null : opening.safeParse(JSON.parse(text)).data;
    if (found && text !== null && !this.stored.has(queueId)) {
      this.stored.set(queueId, { text, at: performance.now() });
    }
    return found ?? null;
  }

  async forget(queueId: string): Promise<void> {
    this.stored.delete(queueId);
    // If this fails, the record expires, and the log shows that the queue has ended.
    await this.openings.remove(queueId).catch(() => {});
  }

  async catchUp(): Promise<void> {
    // The log has nothing that the leader has not written.
    if (this.node.leads) return;
    // A shared check may have begun before the client got its event, so only a second one is certain to find it.
    for (let n = 0; n < 2; n++) {
      await patiently(async () => {
        if (!(await this.node.checkLog())) throw new Error("The log cannot be read");
      });
    }
  }

  private async store(queueId: string, one: Stored): Promise<void> {
    try {
      await this.openings.put(queueId, one.text);
      one.at = performance.now();
    } catch {
      one.at = null;
    }
  }

  /** Stores records that failed or would expire; those of queues that have moved to another node are left to expire. */
  private async renew(): Promise<void> {
    const { all } = this.app.env.queues;
    const before = performance.now() - renewMs;
    for (const [id, one] of this.stored) {
      if (!all.has(id)) this.stored.delete(id);
      else if (one.at === null || one.at < before) await this.store(id, one);
    }
  }
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withRetries(work, () => false, patienceMs);
  } catch (error) {
    const failure = new AppError(
      "SERVER_NOT_READY",
      "The server cannot find this queue just now. Please try again.",
    );
    failure.cause = error;
    throw failure;
  }
}
