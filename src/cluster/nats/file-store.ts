// Files in the nats-servers of a cluster: a stream in which each piece of a file is a message. The subject says whose piece it is, how large the
// file is and when it came, so that a list needs no other message. The first piece is stored last: a file that has it is complete.
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { away, full } from "@/foundation/file-stores/faults.ts";
import { natsAddress } from "@/foundation/file-stores/host.ts";
import { placeOf } from "@/foundation/file-stores/names.ts";
import type { FileName, FileStore, FoundFile, ListedFile } from "@/foundation/file-stores/schema.ts";
import { forEachLimited } from "@/kernel/lib/concurrency.ts";
import { withRetries } from "../shared-log.ts";
import { connectAs, type NatsAccess, Refused } from "./access.ts";
import { codeOf, noRoom, noStream, streamFull } from "./codes.ts";
import { checkLed } from "./entries.ts";
import { within } from "./server-choice.ts";

export interface FileAccess extends NatsAccess {
  readonly cluster: string;
  readonly node: string;
  readonly replicas: number;
  /** How long one request may take. */
  readonly patienceMs?: number | undefined;
}

/** NATS passes on messages of up to a megabyte, unless its operator allows more. */
const pieceBytes = 512 * 1024;
const atOnce = 4;
/** What all files together may take up (docs/cluster.md). */
export const maxBytes = 20 * 2 ** 30;
/** NATS keeps that much free for the stream; where a disk has less, it gets a part. */
const leastBytes = 2 * 2 ** 30;
const connectingMs = 5_000;
const answerMs = 5_000;
const usualPatienceMs = 15_000;
/** Names begin with two of these digits. */
const digits = "0123456789abcdef";
/** Pieces of a file whose first one did not come for so long are of a process that died. */
const abandonedAfter = 86_400;

interface Opened {
  readonly nc: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

export function natsStore(access: FileAccess): FileStore {
  const { cluster, patienceMs = usualPatienceMs } = access;
  const stream = streamOf(cluster);
  const prefix = `confab.${cluster}.files`;
  let opened: Promise<Opened> | null = null;
  let isThere = false;
  const close = async () => {
    const left = await opened?.catch(() => null);
    opened = null;
    // If NATS does not answer, do not wait for it.
    if (left) await within(answerMs, left.nc.drain()).catch(() => void left.nc.close());
  };
  /** A server that hangs or has lost the others may keep the connection: after a failure, the next attempt makes another one. */
  const attempt = async <T>(work: (at: Opened) => Promise<T>): Promise<T> => {
    opened ??= openStream(access, isThere ? null : { stream, prefix });
    const mine = opened;
    try {
      const at = await mine;
      isThere = true;
      return await work(at);
    } catch (error) {
      if (codeOf(error) === null && opened === mine) {
        opened = null;
        void mine.then(({ nc }) => nc.close()).catch(() => {});
      }
      throw error;
    }
  };
  /** Does work again while NATS elects its leaders; throws errors for users. */
  const asked = async <T>(work: (at: Opened) => Promise<T>): Promise<T> => {
    const isFinal = (error: unknown) => error instanceof Refused || codeOf(error) === streamFull;
    try {
      return await withRetries(() => attempt(work), isFinal, patienceMs);
    } catch (error) {
      return codeOf(error) === streamFull ? full(error) : away(error);
    }
  };
  /** Any server may answer; one that lacks the message yet is not believed. */
  const messageAt = (subject: string) =>
    asked(async ({ manager }) => {
      const query = { seq: 1, next_by_subj: subject };
      const near = await manager.direct.getMessage(stream, query).catch(() => null);
      const found = near ?? (await manager.streams.getMessage(stream, query));
      if (!found) checkLed(await manager.streams.info(stream));
      return found;
    });
  const purge = (filter: string) => asked(({ manager }) => manager.streams.purge(stream, { filter }));
  const publish = (subject: string, content: Uint8Array | string) =>
    asked(({ client }) => client.publish(subject, content, { timeout: answerMs }));
  const at = (file: FileName) => `${prefix}.${toToken(placeOf(file)).replaceAll("/", ".")}`;
  const noteAt = (name: string) => `${prefix}.notes.${toToken(name)}`;
  return {
    kind: "nats",
    address: natsAddress(cluster),
    async put(file, path) {
      const content = Bun.file(path);
      const subject = `${at(file)}.${content.size}.${Math.floor(Date.now() / 1_000)}`;
      const faults: unknown[] = [];
      const put = async (n: number) => {
        if (faults.length > 0) return;
        const piece = await content.slice(n * pieceBytes, (n + 1) * pieceBytes).bytes();
        await publish(`${subject}.${n}`, piece);
      };
      const tryPut = (n: number) => put(n).catch((error: unknown) => void faults.push(error));
      const rest = Array.from({ length: piecesIn(content.size) - 1 }, (_, i) => i + 1);
      await forEachLimited(rest, atOnce, tryPut);
      await tryPut(0);
      const [fault] = faults;
      if (fault === undefined) return;
      // What was stored of it would take room until it is swept.
      if (codeOf((fault as Error).cause) === streamFull) await purge(`${subject}.>`);
      throw fault;
    },
    async find(file): Promise<FoundFile | null> {
      const first = await messageAt(`${at(file)}.*.*.0`);
      if (!first) return null;
      const { bytes } = partsOf(first.subject);
      const pieceAt = async (n: number) => {
        const found = n === 0 ? first : await messageAt(first.subject.replace(/\.0$/, `.${n}`));
        return new Uint8Array(found?.data ?? gone(file));
      };
      return { bytes, read: (start, end) => piecesOf(pieceAt, start, end) };
    },
    async remove(file) {
      await purge(`${at(file)}.>`);
    },
    async *list(shelf): AsyncGenerator<ListedFile[]> {
      for (const begin of [...digits].flatMap((one) => [...digits].map((two) => one + two))) {
        const subjects_filter = `${prefix}.${shelf}.${begin}.>`;
        // Of a copy that lacks the first piece of an old file, the rest would seem abandoned.
        const { state } = await asked(async ({ manager }) =>
          checkLed(await manager.streams.info(stream, { subjects_filter })),
        );
        const pieces = Object.keys(state.subjects ?? {}).map(partsOf);
        const whole = new Map(pieces.flatMap((one) => (one.piece === 0 ? [[one.name, one]] : [])));
        const until = Date.now() / 1_000 - abandonedAfter;
        const left = pieces.filter(({ name, changedAt }) => !whole.has(name) && changedAt < until);
        for (const name of new Set(left.map((one) => one.name))) await purge(`${at({ shelf, name })}.>`);
        if (whole.size > 0)
          yield [...whole.values()].map(({ name, bytes, changedAt }) => ({ name, bytes, changedAt }));
      }
    },
    pathOf: () => null,
    async readNote(name) {
      const found = await messageAt(noteAt(name));
      return found?.string() ?? null;
    },
    async writeNote(name, text) {
      await publish(noteAt(name), text);
    },
    close,
  };
}

/** Removes all files, at the end of a cluster. */
export async function removeFiles({ cluster, node, ...access }: FileAccess): Promise<void> {
  const { nc } = await connectAs(`confab-${node}-files`, access, connectingMs);
  try {
    const manager = await jetstreamManager(nc, { timeout: answerMs, checkAPI: false });
    await withRetries(() => manager.streams.delete(streamOf(cluster)), isMissing, usualPatienceMs).catch(
      (error) => isMissing(error) || Promise.reject(error),
    );
  } finally {
    await nc.close();
  }
}

const streamOf = (cluster: string) => `CONFAB_${cluster}_FILES`;
const isMissing = (error: unknown) => codeOf(error) === noStream;

/** A connection of its own: pieces must not delay the entries of the log. Creates a stream that may not be there yet. */
async function openStream(
  access: FileAccess,
  created: { stream: string; prefix: string } | null,
): Promise<Opened> {
  const { nc } = await connectAs(`confab-${access.node}-files`, access, connectingMs);
  try {
    const manager = await jetstreamManager(nc, { timeout: answerMs, checkAPI: false });
    if (created) {
      await manager.streams.info(created.stream).catch((error) => {
        if (!isMissing(error)) throw error;
        return addStream(manager, { ...created, replicas: access.replicas });
      });
    }
    return { nc, manager, client: jetstream(nc, { timeout: answerMs }) };
  } catch (error) {
    await nc.close();
    throw error;
  }
}

async function addStream(
  manager: JetStreamManager,
  { stream, prefix, replicas }: { stream: string; prefix: string; replicas: number },
): Promise<void> {
  for (let bytes = maxBytes; ; bytes /= 2) {
    try {
      await manager.streams.add({
        name: stream,
        subjects: [`${prefix}.>`],
        num_replicas: replicas,
        storage: "file",
        retention: "limits",
        discard: "new",
        max_msgs_per_subject: 1,
        max_bytes: bytes,
        allow_direct: true,
      });
      return;
    } catch (error) {
      const code = codeOf(error);
      if (!(code !== null && noRoom.includes(code)) || bytes / 2 < leastBytes) throw error;
    }
  }
}

/** A dot would begin another part of a subject. */
const toToken = (name: string) => name.replaceAll(".", "_");

/** What a subject says: prefix, shelf, name, bytes, time, piece. */
function partsOf(subject: string): ListedFile & { piece: number } {
  const [name = "", bytes, at, piece] = subject.split(".").slice(-4);
  return {
    name: name.replaceAll("_", "."),
    bytes: Number(bytes),
    changedAt: Number(at),
    piece: Number(piece),
  };
}

/** An empty file has an empty piece. */
const piecesIn = (bytes: number) => Math.max(1, Math.ceil(bytes / pieceBytes));

async function* piecesOf(
  pieceAt: (n: number) => Promise<Uint8Array<ArrayBuffer>>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = start; at < end; ) {
    const n = Math.floor(at / pieceBytes);
    const piece = await pieceAt(n);
    const from = n * pieceBytes;
    const to = Math.min(end, from + pieceBytes);
    if (piece.length < to - from) throw new Error(`${piece.length} bytes instead of ${to - from}`);
    yield piece.subarray(at - from, to - from);
    at = to;
  }
}

function gone({ shelf, name }: FileName): never {
  throw new Error(`${shelf}/${name} was removed while it was read`);
}
