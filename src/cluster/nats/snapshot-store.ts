// Snapshots in NATS' object store: two objects; a new snapshot replaces the older one.
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import { type ObjectInfo, type ObjectStore, Objm, StorageType, setSha256Backend } from "@nats-io/obj";
import { z } from "zod";
import { type SnapshotHead, type Snapshots, withRetries } from "../shared-log.ts";
import { codeOf, noStream } from "./codes.ts";

// The client's default is written in JavaScript, and would block requests.
setSha256Backend("native");

const slots = ["a", "b"] as const;
const chunkBytes = 512 * 1024;
const storeMs = 10_000;

const stored = z.object({
  seq: z.coerce.number(),
  digest: z.string(),
  schema: z.coerce.number(),
  node: z.string(),
  at: z.coerce.number(),
  bytes: z.coerce.number(),
});

interface Held {
  head: SnapshotHead;
  info: ObjectInfo;
}

export class ObjectSnapshots implements Snapshots {
  private readonly stream: string;

  constructor(
    private readonly client: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly options: { bucket: string; replicas: number },
  ) {
    this.stream = `OBJ_${options.bucket}`;
  }

  async list(): Promise<SnapshotHead[]> {
    const found = await this.listHeld();
    return found.map(({ head }) => head);
  }

  async put(head: SnapshotHead, content: ReadableStream<Uint8Array>): Promise<void> {
    const store = await this.store();
    const found = await this.listHeld();
    await this.sweep(found);
    const [newest] = found;
    const name = slots.find((slot) => slot !== newest?.info.name) ?? slots[0];
    const metadata = Object.fromEntries(Object.entries(head).map(([key, value]) => [key, String(value)]));
    const how = { name, metadata, options: { max_chunk_size: chunkBytes } };
    await store.put(how, content, { timeout: storeMs });
  }

  /** Reads by number, because a consumer would hang if its NATS server stopped meanwhile. */
  async *get(seq: number): AsyncIterable<Uint8Array> {
    const found = (await this.listHeld()).find(({ head }) => head.seq === seq);
    if (!found) throw new Error(`There is no snapshot of entry ${seq}`);
    const { nuid, chunks } = found.info;
    const subject = `$O.${this.options.bucket}.C.${nuid}`;
    for (let [n, from] = [0, 1]; n < chunks; n++) {
      const query = { seq: from, next_by_subj: subject };
      const message = await withRetries(
        () => this.manager.streams.getMessage(this.stream, query),
        (error) => codeOf(error) === noStream,
      );
      if (!message) throw new Error(`The snapshot of entry ${seq} was replaced while it was read`);
      from = message.seq + 1;
      yield message.data;
    }
  }

  private store(): Promise<ObjectStore> {
    const { bucket, replicas } = this.options;
    return new Objm(this.client).create(bucket, { replicas, storage: StorageType.File });
  }

  private async listHeld(): Promise<Held[]> {
    const store = await this.store();
    const infos = await Promise.all(slots.map((slot) => store.info(slot)));
    return infos
      .flatMap((info) => (info && !info.deleted ? [{ info, head: stored.parse(info.metadata) }] : []))
      .sort((one, other) => other.head.seq - one.head.seq);
  }

  /** Removes what interrupted uploads left behind. */
  private async sweep(found: readonly Held[]): Promise<void> {
    const prefix = `$O.${this.options.bucket}.C.`;
    const { state } = await this.manager.streams.info(this.stream, { subjects_filter: `${prefix}>` });
    const kept = new Set(found.map(({ info }) => prefix + info.nuid));
    for (const subject of Object.keys(state.subjects ?? {})) {
      if (!kept.has(subject)) await this.manager.streams.purge(this.stream, { filter: subject });
    }
  }
}
