// An S3 store: npm's s3rver, and in front of it a server that checks signatures and that a test can make fail.
import { createHash, createHmac } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { S3Settings } from "@/foundation/file-stores/schema.ts";

export const s3Keys = { accessKeyId: "TESTKEY", secretAccessKey: "secret/of+the=test" };
export const s3Bucket = "chat";

export interface TestS3 {
  readonly endpoint: string;
  readonly settings: S3Settings;
  readonly objects: StoredObjects;
  /** The requests so far: method and key. */
  readonly requests: string[];
  /** How to answer a request wrongly: with an error status, with half of the bytes, or never. */
  fault: (method: string, key: string) => number | "short" | "never" | null;
  stop(): Promise<void>;
}

const maxKeys = 3;
const program = join(import.meta.dir, "s3rver.mjs");

/** The lines of a confab.toml that name a store; writes its credentials next to it. */
export function s3Toml({ endpoint }: TestS3, folder: string): string {
  const credentials = join(folder, "credentials");
  const { accessKeyId, secretAccessKey } = s3Keys;
  writeFileSync(
    credentials,
    `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`,
  );
  const lines = [
    `s3_endpoint = "${endpoint}"`,
    `s3_bucket = "${s3Bucket}"`,
    's3_region = "here"',
    `s3_credentials = ${JSON.stringify(credentials)}`,
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Starts a store with one empty bucket. It lists three names per request. s3rver takes requests with any signature of version 4, so
 * these are checked here.
 */
export async function startS3(hostname = "127.0.0.1"): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), "confab-s3-"));
  const stored = Bun.spawn(["node", program, JSON.stringify({ folder, bucket: s3Bucket, ...s3Keys })], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  // On a busy machine this takes longer than what waits for an answer may wait.
  const origin = `http://127.0.0.1:${await firstLine(stored.stdout)}`;
  const server = Bun.serve({ port: 0, hostname, idleTimeout: 60, fetch: answer });
  // A store shows an object once all of it has arrived; s3rver shows the part that is there.
  const arriving = new Map<string, Promise<unknown>>();
  const made: TestS3 = {
    endpoint: `http://${hostname}:${server.port}`,
    settings: {
      endpoint: `http://${hostname}:${server.port}`,
      bucket: s3Bucket,
      region: "here",
      prefix: "",
      ...s3Keys,
    },
    objects: new StoredObjects(join(folder, s3Bucket)),
    requests: [],
    fault: () => null,
    async stop() {
      await server.stop(true);
      await stored.stdin.end();
      await stored.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const key = decodeURIComponent(url.pathname.split("/").slice(2).join("/"));
    const { method, headers } = request;
    const body = await request.arrayBuffer();
    made.requests.push(`${method} ${key}`);
    const fault = made.fault(method, key);
    if (typeof fault === "number") return refused(fault, "InternalError");
    if (fault === "never") return new Promise(() => {});
    const wrong = wrongSignature(request, url);
    if (wrong !== null) return refused(403, wrong);
    if (key === "") url.searchParams.set("max-keys", String(maxKeys));
    const hasBody = body.byteLength > 0 && method !== "GET" && method !== "HEAD";
    await arriving.get(key);
    const asked = fetch(origin + url.pathname + url.search, { method, headers, ...(hasBody && { body }) });
    if (hasBody) {
      const arrived = asked.catch(() => {}).then(() => arriving.delete(key));
      arriving.set(key, arrived);
    }
    const found = await asked;
    if (method === "HEAD") return new (ownResponse())(null, { status: found.status, headers: found.headers });
    const bytes = await found.arrayBuffer();
    const sent = fault === "short" ? bytes.slice(0, bytes.byteLength / 2) : bytes;
    found.headers.set("content-length", String(sent.byteLength));
    return new (ownResponse())(found.status === 204 ? null : sent, {
      status: found.status,
      headers: found.headers,
    });
  }
  return made;
}

/** Bun's class: once a test has served Confab in this process, `Response` is the HTTP library's, which Bun.serve refuses. */
function ownResponse(): typeof Response {
  const above = Object.getPrototypeOf(Response) as typeof Response;
  return above === Function.prototype ? Response : above;
}

async function firstLine(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of output) {
    text += decoder.decode(piece);
    if (text.includes("\n")) return text.trim();
  }
  throw new Error("s3rver did not start");
}

const suffix = "._S3rver_object";

/** The objects of a bucket, by key, as s3rver keeps them on the disk. */
export class StoredObjects {
  constructor(private readonly folder: string) {}

  get size(): number {
    return this.keys().length;
  }

  keys(): string[] {
    if (!existsSync(this.folder)) return [];
    const paths = readdirSync(this.folder, { recursive: true }).map(String);
    return paths.filter((path) => path.endsWith(suffix)).map((path) => path.slice(0, -suffix.length));
  }

  /** Null if there is no such object. */
  get(key: string): Buffer<ArrayBuffer> | null {
    return existsSync(this.pathOf(key)) ? readFileSync(this.pathOf(key)) : null;
  }

  set(key: string, bytes: Uint8Array | string, changedAt = new Date()): void {
    mkdirSync(dirname(this.pathOf(key)), { recursive: true });
    writeFileSync(this.pathOf(key), bytes);
    rmSync(`${this.pathOf(key)}.md5`, { force: true });
    this.touch(key, changedAt);
  }

  touch(key: string, changedAt: Date): void {
    utimesSync(this.pathOf(key), changedAt, changedAt);
  }

  delete(key: string): void {
    rmSync(this.pathOf(key), { force: true });
  }

  clear(): void {
    for (const key of this.keys()) this.delete(key);
  }

  private pathOf(key: string): string {
    return join(this.folder, key + suffix);
  }
}

function refused(status: number, code: string): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Refused by the test's store</Message></Error>`;
  return new (ownResponse())(text, { status, headers: { "content-type": "application/xml" } });
}

/** The error code if the request is not signed with our keys (AWS Signature Version 4); null if it is. */
function wrongSignature(request: Request, url: URL): string | null {
  const given =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, *SignedHeaders=([^,]+), *Signature=(\w+)/.exec(
      request.headers.get("authorization") ?? "",
    );
  if (!given) return "AccessDenied";
  const [, accessKeyId, day = "", region = "", signed = "", signature] = given;
  if (accessKeyId !== s3Keys.accessKeyId) return "InvalidAccessKeyId";
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join("&");
  const headers = signed.split(";").map((name) => `${name}:${(request.headers.get(name) ?? "").trim()}\n`);
  const payload = request.headers.get("x-amz-content-sha256") ?? "";
  const canonical = [request.method, url.pathname, query, headers.join(""), signed, payload].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const hashed = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", request.headers.get("x-amz-date"), scope, hashed].join("\n");
  const hmac = (key: string | Buffer, of: string) => createHmac("sha256", key).update(of).digest();
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${s3Keys.secretAccessKey}`,
  );
  return hmac(key, text).toString("hex") === signature ? null : "SignatureDoesNotMatch";
}
