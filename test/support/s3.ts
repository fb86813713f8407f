// An S3 store over HTTP with all that Bun's client needs; checks each signature. A test can make it fail.
import { createHash, createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { S3Settings } from "@/foundation/file-stores/schema.ts";

export const s3Keys = { accessKeyId: "TESTKEY", secretAccessKey: "secret/of+the=test" };
export const s3Bucket = "chat";

export interface TestS3 {
  readonly endpoint: string;
  readonly settings: S3Settings;
  /** The objects by key. */
  readonly objects: Map<string, StoredObject>;
  /** The requests so far: method and key. */
  readonly requests: string[];
  /** How to answer a request wrongly: with an error status, with half of the bytes, or never. */
  fault: (method: string, key: string) => number | "short" | "never" | null;
  stop(): Promise<void>;
}

export interface StoredObject {
  bytes: Uint8Array<ArrayBuffer>;
  changedAt: Date;
}

const namespace = "http://s3.amazonaws.com/doc/2006-03-01/";
const maxKeys = 3;

/** The lines of a confab.toml that name a store; writes its credentials beside it. */
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

/** Starts a store with one empty bucket. It lists three names per request. */
export function startS3(): TestS3 {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Map<number, Uint8Array<ArrayBuffer>>>();
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 60, fetch: answer });
  const made: TestS3 = {
    endpoint: `http://127.0.0.1:${server.port}`,
    settings: {
      endpoint: `http://127.0.0.1:${server.port}`,
      bucket: s3Bucket,
      region: "here",
      prefix: "",
      ...s3Keys,
    },
    objects,
    requests: [],
    fault: () => null,
    stop: () => server.stop(true),
  };
  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const [, bucket = "", ...rest] = url.pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    const { method } = request;
    const body = new Uint8Array(await request.arrayBuffer());
    made.requests.push(`${method} ${key}`);
    const fault = made.fault(method, key);
    if (typeof fault === "number") return refused(fault, "InternalError");
    if (fault === "never") return new Promise(() => {});
    const wrong = wrongSignature(request, url);
    if (wrong !== null) return refused(403, wrong);
    if (bucket !== s3Bucket) return refused(404, "NoSuchBucket");
    if (key === "") return listed(objects, url.searchParams);
    const upload = url.searchParams.get("uploadId");
    if (method === "POST" && url.searchParams.has("uploads")) {
      const id = crypto.randomUUID();
      uploads.set(id, new Map());
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (upload !== null) {
      const parts = uploads.get(upload);
      if (!parts) return refused(404, "NoSuchUpload");
      if (method === "PUT") {
        parts.set(Number(url.searchParams.get("partNumber")), body);
        return new Response(null, { headers: { etag: etagOf(body) } });
      }
      uploads.delete(upload);
      if (method === "DELETE") return new Response(null, { status: 204 });
      const ordered = [...parts].sort(([one], [other]) => one - other).map(([, part]) => part);
      const bytes = new Uint8Array(Buffer.concat(ordered));
      objects.set(key, { bytes, changedAt: new Date() });
      return xml(
        `<CompleteMultipartUploadResult><ETag>${etagOf(bytes)}</ETag></CompleteMultipartUploadResult>`,
      );
    }
    if (method === "PUT") {
      objects.set(key, { bytes: body, changedAt: new Date() });
      return new Response(null, { headers: { etag: etagOf(body) } });
    }
    if (method === "DELETE") {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    const found = objects.get(key);
    return found ? content(found, request, fault === "short") : refused(404, "NoSuchKey");
  }
  return made;
}

function content({ bytes, changedAt }: StoredObject, request: Request, isShort: boolean): Response {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "");
  const [from, to] = range
    ? [Number(range[1]), Math.min(Number(range[2] || bytes.length) + 1, bytes.length)]
    : [0, bytes.length];
  const part = bytes.slice(from, to);
  const headers = {
    etag: etagOf(bytes),
    "last-modified": changedAt.toUTCString(),
    "content-length": String(part.length),
    ...(range && { "content-range": `bytes ${from}-${to - 1}/${bytes.length}` }),
  };
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status: 200, headers });
  if (!isShort) return new Response(part, { status, headers });
  const half = part.slice(0, part.length / 2);
  return new Response(half, { status, headers: { ...headers, "content-length": String(half.length) } });
}

function listed(objects: TestS3["objects"], params: URLSearchParams): Response {
  const prefix = params.get("prefix") ?? "";
  const after = params.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const shown = keys.slice(0, Math.min(maxKeys, Number(params.get("max-keys") ?? maxKeys)));
  const isTruncated = shown.length < keys.length;
  const contents = shown.map((key) => {
    const { bytes, changedAt } = objects.get(key) as StoredObject;
    return `<Contents><Key>${key}</Key><LastModified>${changedAt.toISOString()}</LastModified><ETag>${etagOf(bytes)}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const next = isTruncated ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : "";
  return xml(
    `<ListBucketResult xmlns="${namespace}"><Name>${s3Bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${shown.length}</KeyCount>` +
      `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
  );
}

const etagOf = (bytes: Uint8Array) => `"${createHash("md5").update(bytes).digest("hex")}"`;

function xml(text: string, status = 200): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    status,
    headers: { "content-type": "application/xml" },
  });
}

function refused(status: number, code: string): Response {
  return xml(`<Error><Code>${code}</Code><Message>Refused by the test's store</Message></Error>`, status);
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
