// The shared log in NATS JetStream: a stream of entries, an expiring key for the lease, and plain messages.
import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
} from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { errors } from "@nats-io/transport-node";
import { NotAppended } from "@/kernel/commit-log.ts";
import {
  type Ends,
  Fenced,
  type Leader,
  type Lease,
  type SharedLog,
  Unanswered,
  withRetries,
} from "../shared-log.ts";
import { type Access, connectAs } from "./access.ts";
import { codeOf, isWrongLast, noStream } from "./codes.ts";
import { KeyFacts } from "./key-facts.ts";
import { checkVersion } from "./nats-check.ts";
import { readSoon } from "./repeated-reads.ts";
import { ServerChoice } from "./server-choice.ts";
import { ObjectSnapshots } from "./snapshot-store.ts";
import { Subjects } from "./subjects.ts";

export interface JetStreamOptions extends Access {
  /** The name of the cluster: several may share one NATS. */
  cluster: string;
  /** The name of this node. */
  node: string;
  replicas: number;
  leaseMs: number;
  /** The cluster has begun: nothing is created, and without a log this is an error. */
  isThere?: boolean;
}

/** How long JetStream remembers message IDs; no retry may come later. */
const rememberedMs = 120_000;
const appendingMs = 60_000;
/** How long the record of an open queue lasts, unless its node stores it again. */
const openingMs = 3_600_000;
/** Short, because NATS does not answer while it elects its own leaders, and a long wait would outlast that. */
const answerMs = 1_000;
/** Nothing is stored to read the lease, so a server that can answer does so at once. */
const readingMs = 500;
const takingMs = 800;
/** A leader's machine may be busy, and a late renewal is as good as an early one. */
const renewingMs = 1_500;
const nanoseconds = 1_000_000;

/** Connects, and creates what is missing; keeps trying while NATS elects its own leaders. */
export async function openJetStream(options: JetStreamOptions): Promise<SharedLog> {
  const { node, cluster, replicas, leaseMs } = options;
  const { nc, how, prefer } = await connectAs(`confab-${node}`, options);
  try {
    checkVersion(nc.info?.server_name ?? nc.getServer(), nc.info?.version ?? "0");
    const manager = await jetstreamManager(nc, { timeout: answerMs, checkAPI: false });
    const stream = `CONFAB_${cluster}_LOG`;
    const subject = `confab.${cluster}.log`;
    const names = { name: stream, subjects: [subject], num_replicas: replicas };
    if (options.isThere) await checkStream(manager, names.name, cluster);
    else await withRetries(() => createStream(manager, names));
    const client = jetstream(nc, { timeout: answerMs });
    const bucket = { ttl: leaseMs, replicas, history: 1, allow_direct: false };
    const kv = await withRetries(() => new Kvm(client).create(`confab_${cluster}_lease`, bucket));
    const snapshots = `confab_${cluster}_snapshots`;
    const probe = `$KV.confab_${cluster}_lease.probe-${node}`;
    const choice = new ServerChoice({ nc, access: how, prefer, subject: probe });
    const entries = new Entries(client, manager, { stream, subject });
    const lasting = { replicas, history: 1, allow_direct: false };
    const facts = await withRetries(() => new Kvm(client).create(`confab_${cluster}_facts`, lasting));
    // In memory: if the nodes lose their memory, nobody can continue a queue anyway.
    const brief = { ...lasting, ttl: openingMs, storage: StorageType.Memory };
    const openings = await withRetries(() => new Kvm(client).create(`confab_${cluster}_queues`, brief));
    return {
      maxBytes: (nc.info?.max_payload ?? 1_048_576) - 1_024,
      append: (data, id, after) => entries.append(data, id, after),
      ends: () => entries.ends(),
      takenAt: (seq) => entries.takenAt(seq),
      forgetBefore: async (first) => void (await manager.streams.purge(stream, { seq: first })),
      beginAt: async (first) => {
        await removeStream(manager, stream);
        await createStream(manager, { ...names, first_seq: first });
      },
      remove: async () => {
        for (const one of [stream, `OBJ_${snapshots}`, `KV_confab_${cluster}_queues`])
          await removeStream(manager, one);
      },
      read: (from, to) => entries.read(from, to),
      lease: new KeyLease(kv, "leader", leaseMs, choice),
      snapshotLease: new KeyLease(kv, "snapshot", leaseMs, choice),
      snapshots: new ObjectSnapshots(client, manager, { bucket: snapshots, replicas }),
      facts: new KeyFacts(facts),
      openings: new KeyFacts(openings),
      talk: new Subjects(nc, `confab.${cluster}`),
      // If NATS is unreachable, do not wait for it.
      close: () => {
        choice.close();
        return nc.drain().catch(() => nc.close());
      },
    };
  } catch (error) {
    await nc.close();
    throw error;
  }
}

/** An existing stream keeps its operator's settings, of which only the limits may differ. */
async function createStream(
  manager: JetStreamManager,
  names: { name: string; subjects: string[]; num_replicas: number; first_seq?: number },
): Promise<void> {
  try {
    await manager.streams.info(names.name);
  } catch (error) {
    if (codeOf(error) !== noStream) throw error;
    await manager.streams.add({
      ...names,
      storage: "file",
      retention: "limits",
      discard: "new",
      duplicate_window: rememberedMs * nanoseconds,
      deny_delete: true,
      allow_direct: false,
    });
  }
}

async function checkStream(manager: JetStreamManager, name: string, cluster: string): Promise<void> {
  try {
    await withRetries(
      () => manager.streams.info(name),
      (error) => codeOf(error) === noStream,
      5_000,
    );
  } catch (error) {
    if (codeOf(error) !== noStream) throw error;
    throw new Error(`These nats-servers hold no log of a cluster ${cluster}`);
  }
}

async function removeStream(manager: JetStreamManager, name: string): Promise<void> {
  try {
    await manager.streams.delete(name);
  } catch (error) {
    if (codeOf(error) !== noStream) throw error;
  }
}

/** JetStream knows an entry that it has not stored yet. */
class Pending extends Error {}

class Entries {
  constructor(
    private readonly client: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly names: { stream: string; subject: string },
  ) {}

  /**
   * Without an answer, sends the message again: JetStream takes an ID only once. If the place is taken, the entry there
   * tells whose it is; if it is empty after all, the stream has changed its leader, and the message is sent again.
   */
  async append(data: Uint8Array, msgID: string, after: number): Promise<void> {
    const until = performance.now() + appendingMs;
    const expect = { lastSequence: after };
    let isFirst = true;
    for (let pause = 50; ; pause = Math.min(pause * 2, 500)) {
      try {
        const { seq } = await this.client.publish(this.names.subject, data, { msgID, expect });
        if (seq === after + 1) return;
        // The answer to a second attempt while the first is not stored on enough servers yet, and may never be.
        if (seq === 0) throw new Pending();
        throw new Fenced(`The log took the entry as ${seq}, not as ${after + 1}`);
      } catch (error) {
        if (error instanceof Fenced) throw error;
        if (error instanceof errors.ClosedConnectionError) throw new Unanswered(String(error));
        const code = codeOf(error);
        const there = code === null ? null : await this.idAt(after + 1).catch(() => null);
        if (there === msgID) return;
        if (there !== null) throw new Fenced(`Entry ${after + 1} of the log is another node's`);
        // An error such as a full log or too large an entry is final only if no earlier attempt may still arrive.
        if (code !== null && !isWrongLast(error) && isFirst) throw new NotAppended(String(error));
        if (performance.now() > until) throw new Unanswered(`No answer for entry ${after + 1}: ${error}`);
        isFirst = false;
        await Bun.sleep(pause);
      }
    }
  }

  async ends(): Promise<Ends> {
    const { state } = await readSoon(() => this.manager.streams.info(this.names.stream));
    const { first_seq, last_seq, bytes } = state;
    return { first: first_seq, last: last_seq, bytes };
  }

  async takenAt(seq: number): Promise<number | null> {
    const found = await this.at(seq);
    return found ? found.time.getTime() : null;
  }

  async read(from: number, to: number): Promise<Uint8Array[]> {
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
    const found = await Promise.all(numbers.map((seq) => this.at(seq)));
    const end = found.indexOf(null);
    return found.slice(0, end < 0 ? found.length : end).flatMap((one) => (one ? [one.data] : []));
  }

  private at(seq: number) {
    return this.manager.streams.getMessage(this.names.stream, { seq });
  }

  private async idAt(seq: number): Promise<string | null> {
    return (await this.at(seq))?.header.get("Nats-Msg-Id") ?? null;
  }
}

class KeyLease implements Lease {
  constructor(
    private readonly kv: KV,
    private readonly key: string,
    readonly ms: number,
    private readonly choice: ServerChoice,
  ) {}

  async holder(): Promise<{ leader: Leader; revision: number } | null> {
    const entry = await this.choice.ask(readingMs, () => readSoon(() => this.kv.get(this.key)));
    if (entry?.operation !== "PUT") return null;
    // A free lease shows nothing: a server that has lost the others lets it expire, too.
    this.choice.answered();
    return { leader: entry.json<Leader>(), revision: entry.revision };
  }

  async hold(leader: Leader, revision: number | null): Promise<number | null> {
    const text = JSON.stringify(leader);
    const { kv, key } = this;
    try {
      const held =
        revision === null
          ? await this.choice.ask(takingMs, () => kv.create(key, text))
          : await this.choice.ask(renewingMs, () => kv.update(key, text, revision, renewingMs));
      this.choice.answered();
      return held;
    } catch (error) {
      if (isWrongLast(error)) return null;
      throw error;
    }
  }

  async giveBack(revision: number): Promise<void> {
    await this.kv.delete(this.key, { previousSeq: revision });
  }
}
