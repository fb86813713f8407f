// Files in a store that speaks S3, by Bun's client. Everything passes through this process, so that permissions hold.
import type { S3Client, S3ListObjectsResponse } from "bun";
import { away } from "./faults.ts";
import { placeOf } from "./names.ts";
import type { FileName, FileStore, FoundFile, ListedFile, S3Settings } from "./schema.ts";

/** What one read may fetch: few requests for large files, little memory for slow clients. */
const pieceBytes = 524_288;
/** The least that S3 allows. */
const partBytes = 5_242_880;
const partsAtOnce = 2;
const tries = 3;
const usualPauseMs = 250;
const usualPatienceMs = 15_000;
/** The slowest line on which a large file still arrives: 128 KiB a second. */
const bytesPerMs = 131;

/** Errors that another try does not change. */
const definite = new Set([
  "NoSuchKey",
  "NoSuchBucket",
  "AccessDenied",
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "AuthorizationHeaderMalformed",
  "PermanentRedirect",
  "InvalidBucketName",
  "InvalidPath",
  "InvalidEndpoint",
]);

/** Where a store is, for people: its URL, bucket and prefix. */
export function s3Address({ endpoint, region = "", bucket, prefix }: S3Settings): string {
  return `${endpoint ?? `S3 ${region}`.trim()}/${bucket}/${prefix}`.replace(/\/$/, "");
}

export function s3Store(settings: S3Settings): FileStore {
  const { prefix, patienceMs: _patience, pauseMs: _pause, ...credentials } = settings;
  const client = new Bun.S3Client(credentials);
  const asked = asking(settings);
  const keyOf = (file: FileName) => prefix + placeOf(file);
  return {
    kind: "s3",
    address: s3Address(settings),
    async put(file, path) {
      const { size } = Bun.file(path);
      // Bun retries each part of a large file; we retry files of one part.
      const retry = size > partBytes ? tries : 0;
      const how = { partSize: partBytes, queueSize: partsAtOnce, retry };
      await asked(() => client.write(keyOf(file), Bun.file(path), how), size);
    },
    async find(file): Promise<FoundFile | null> {
      const key = keyOf(file);
      const found = await orNull(asked(() => client.stat(key)));
      if (!found) return null;
      const read = (start: number, end: number) => piecesOf({ client, asked, key }, start, end);
      return { bytes: found.size, read };
    },
    async remove(file) {
      await orNull(asked(() => client.delete(keyOf(file))));
    },
    list: (shelf) => listPages({ client, asked, prefix }, shelf),
    pathOf: () => null,
    readNote: (name) => orNull(asked(() => client.file(prefix + name).text())),
    async writeNote(name, text) {
      await asked(() => client.write(prefix + name, text));
    },
  };
}

type RequestRunner = <T>(work: () => Promise<T>, bytes?: number) => Promise<T>;

/** Runs requests with a time limit, and again where that may help. Throws errors of `away`. */
function asking({ patienceMs = usualPatienceMs, pauseMs = usualPauseMs }: S3Settings): RequestRunner {
  return async (work, bytes = 0) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await within(patienceMs + bytes / bytesPerMs, work());
      } catch (error) {
        if (attempt === tries || definite.has(codeOf(error))) return away(error);
        await Bun.sleep(pauseMs * attempt);
      }
    }
  };
}

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? "");
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error("no answer in time"), { code: "Timeout" })),
    ms,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (codeOf((error as Error).cause) === "NoSuchKey") return null;
    throw error;
  }
}

interface Asking {
  client: S3Client;
  asked: RequestRunner;
}

async function* piecesOf(
  { client, asked, key }: Asking & { key: string },
  start: number,
  end: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = start; at < end; at += pieceBytes) {
    const to = Math.min(at + pieceBytes, end);
    yield await asked(async () => {
      const piece = await client.file(key).slice(at, to).bytes();
      if (piece.length !== to - at) throw new Error(`${piece.length} bytes instead of ${to - at}`);
      return piece;
    });
  }
}

async function* listPages(
  { client, asked, prefix }: Asking & { prefix: string },
  shelf: FileName["shelf"],
): AsyncGenerator<ListedFile[]> {
  let continuationToken: string | undefined;
  do {
    const more = continuationToken === undefined ? {} : { continuationToken };
    const page = await asked(() => client.list({ prefix: `${prefix}${shelf}/`, ...more }));
    yield filesOn(page);
    continuationToken = page.isTruncated ? page.nextContinuationToken : undefined;
  } while (continuationToken !== undefined);
}

function filesOn({ contents = [] }: S3ListObjectsResponse): ListedFile[] {
  return contents.map(({ key, size = 0, lastModified = "" }) => ({
    name: key.slice(key.lastIndexOf("/") + 1),
    bytes: size,
    changedAt: Date.parse(lastModified) / 1000,
  }));
}
