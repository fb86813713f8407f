// The shared log in NATS JetStream: a stream of entries, a key for the lease, and plain messages.
import { type JetStreamManager, jetstream, jetstreamManager, type StreamConfig } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { checkVersion } from "../examination/nats-check.ts";
import { holdMs } from "../leadership.ts";
import { type SharedLog, termsMs, withRetries } from "../shared-log.ts";
import { connectAs, type NatsAccess } from "./access.ts";
import { codeOf, noStream } from "./codes.ts";
import { Entries, entriesBefore, settingsAfter } from "./entries.ts";
import { KeyValueFacts } from "./key-facts.ts";
import { KeyLease } from "./key-lease.ts";
import { NearLog } from "./near-log.ts";
import { LogPlacement } from "./placement.ts";
import { ServerChoice, within } from "./server-choice.ts";
import { ObjectSnapshots } from "./snapshot-store.ts";
import { Subjects } from "./subjects.ts";

export interface JetStreamOptions extends NatsAccess {
  /** The name of the cluster: several may share one NATS. */
  cluster: string;
  /** The name of this node. */
  node: string;
  replicas: number;
  /** A lease time. */
  leaseMs: number;
  /** The cluster has begun: nothing is created, and without a log this is an error. */
  isThere?: boolean;
}

/** How long JetStream remembers message IDs; no retry may come later. */
const rememberedMs = 120_000;
/** Short, because NATS does not answer while it elects its own leaders, and a long wait would outlast that. */
const answerMs = 1_000;
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
    const names = { name: stream, subject, replicas };
    const before = options.isThere
      ? await checkStream(manager, stream, cluster)
      : await withRetries(() => createStream(manager, names, null)).catch((error) =>
          explainUnplaced(error, replicas),
        );
    const client = jetstream(nc, { timeout: answerMs });
    // Nodes of earlier versions wait for the end of this time; the nats-servers' clocks decide it, so nothing else depends on it.
    const bucket = { ttl: holdMs({ ms: leaseMs }), replicas, history: 1, allow_direct: false };
    const kv = await withRetries(() => new Kvm(client).create(`confab_${cluster}_lease`, bucket));
    const snapshots = `confab_${cluster}_snapshots`;
    const probe = `$KV.confab_${cluster}_lease.probe-${node}`;
    const choice = new ServerChoice({ nc, access: how, prefer, subject: probe });
    const near = new NearLog({ nc, access: how, answerMs });
    const lease = `KV_confab_${cluster}_lease`;
    const holders = { nc, subject: `confab.${cluster}.holds` };
    const placement = new LogPlacement({ nc, manager, log: stream, lease, near });
    const entries = new Entries({ client, manager, near }, { stream, subject }, before);
    const lasting = { replicas, history: 1, allow_direct: false };
    const facts = await withRetries(() => new Kvm(client).create(`confab_${cluster}_facts`, lasting));
    // On disk: the nodes go on if the nats-servers lose their memory.
    const brief = { ...lasting, ttl: termsMs };
    const terms = await withRetries(() => new Kvm(client).create(`confab_${cluster}_terms`, brief));
    return {
      maxBytes: (nc.info?.max_payload ?? 1_048_576) - 1_024,
      append: (data, id, after) => entries.append(data, id, after),
      ends: () => entries.ends(),
      findTime: (seq) => entries.findTime(seq),
      forgetBefore: (first) => entries.forgetBefore(first),
      beginAt: async (first) => {
        await removeStream(manager, stream);
        await createStream(manager, names, first - 1);
      },
      remove: async () => {
        for (const one of [stream, `OBJ_${snapshots}`, `KV_confab_${cluster}_terms`])
          await removeStream(manager, one);
      },
      read: (from, to) => entries.read(from, to),
      lease: new KeyLease(kv, "leader", leaseMs, choice, holders, () => void placement.check()),
      snapshotLease: new KeyLease(kv, "snapshot", leaseMs, choice, holders),
      snapshots: new ObjectSnapshots(client, manager, { bucket: snapshots, replicas }),
      facts: new KeyValueFacts(facts),
      terms: new KeyValueFacts(terms),
      talk: new Subjects(nc, `confab.${cluster}`),
      // If NATS does not answer, do not wait for it.
      close: async () => {
        choice.close();
        near.close();
        await within(answerMs, nc.drain()).catch(() => void nc.close());
      },
    };
  } catch (error) {
    await nc.close();
    throw error;
  }
}

/**
 * Creates the stream unless it is there; resolves with how many entries were in earlier logs. The caller gives that number, or null if
 * any will do. An existing stream keeps its operator's settings, of which only the limits may differ.
 */
async function createStream(
  manager: JetStreamManager,
  { name, subject, replicas }: { name: string; subject: string; replicas: number },
  wanted: number | null,
): Promise<number> {
  try {
    const before = await openStream(manager, name);
    if (wanted === null || before === wanted) return before;
  } catch (error) {
    if (codeOf(error) !== noStream) throw error;
    await manager.streams.add({
      name,
      ...settingsAfter(wanted ?? 0, subject),
      num_replicas: replicas,
      storage: "file",
      retention: "limits",
      discard: "new",
      duplicate_window: rememberedMs * nanoseconds,
      deny_delete: true,
      allow_direct: false,
    });
    return wanted ?? 0;
  }
  throw new Error(`Another node has begun the log ${name} meanwhile`);
}

/** Says what it means that NATS finds too few servers for the copies of a stream. */
function explainUnplaced(error: Error, replicas: number): never {
  if (!/no suitable peers/i.test(error.message)) throw error;
  throw new Error(
    `The nats-servers cannot keep ${replicas} copies of the log (${error.message}): too few of them run, or they formed a cluster ` +
      "without one of them. 'confab doctor' says which; restart that one.",
    { cause: error },
  );
}

async function checkStream(manager: JetStreamManager, name: string, cluster: string): Promise<number> {
  try {
    return await withRetries(
      () => openStream(manager, name),
      (error) => codeOf(error) === noStream,
      5_000,
    );
  } catch (error) {
    if (codeOf(error) !== noStream) throw error;
    throw new Error(`These nats-servers hold no log of a cluster ${cluster}`);
  }
}

/**
 * Returns how many entries were in earlier logs. Takes `first_seq` out of the settings of a stream, which earlier versions set and which
 * is dangerous (entries.ts); its messages keep their numbers.
 */
async function openStream(manager: JetStreamManager, name: string): Promise<number> {
  const { config } = await manager.streams.info(name);
  const none: Partial<StreamConfig> = { first_seq: 0 };
  if (config.first_seq) await manager.streams.update(name, none);
  return entriesBefore(config);
}

async function removeStream(manager: JetStreamManager, name: string): Promise<void> {
  try {
    await manager.streams.delete(name);
  } catch (error) {
    if (codeOf(error) !== noStream) throw error;
  }
}
