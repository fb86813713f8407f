// Visits another site for its users: the public Internet only, for so long and no longer.
import { type ClientRequest, type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Reads } from "@/kernel/core/context.ts";
import { checkLiteral, lookupWithin, type MayConnect, reachOf } from "@/outside/webhooks/reach.ts";
import { looking } from "./schema.ts";

/** What a site answers, after redirects. */
export interface Visit {
  url: URL;
  /** The media type, such as text/html, in lower case. */
  type: string;
  charset: string | null;
  /** Unpacked. */
  body: AsyncIterable<Buffer>;
}

/** Asks for an address, and has the answer read. Each address on the way is checked again, and the checked one is called. */
export async function visit<T>(
  reads: Reads,
  address: string,
  read: (visit: Visit) => Promise<T>,
): Promise<T> {
  const reach = reachOf(reads, "preview_networks");
  const now: { request?: ClientRequest; isLate: boolean } = { isLate: false };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      now.isLate = true;
      reject(new Error("it did not answer in time"));
      now.request?.destroy();
    }, looking.timeoutMs);
    // Does not keep a stopping server alive: the address is still in its table.
    timer.unref();
  });
  const follow = async (): Promise<T> => {
    let url = new URL(address);
    for (let redirects = 0; redirects <= looking.maxRedirects && !now.isLate; redirects++) {
      const asked = ask(url, reach);
      now.request = asked.request;
      const answer = await asked.answer;
      const next = redirectOf(answer, url);
      if (next === null) return await read(visitOf(answer, url));
      asked.request.destroy();
      url = next;
    }
    throw new Error("it redirects too often");
  };
  try {
    return await Promise.race([follow(), late]);
  } finally {
    clearTimeout(timer);
    now.request?.destroy();
  }
}

function ask(url: URL, reach: MayConnect): { request: ClientRequest; answer: Promise<IncomingMessage> } {
  checkLiteral(url.hostname, reach);
  const headers = {
    "user-agent": "Confab-Preview/1",
    accept: "text/html,application/xhtml+xml,image/webp,image/png,image/jpeg,image/gif",
    "accept-encoding": "gzip, deflate, br",
  };
  const send = url.protocol === "https:" ? secure : plain;
  const options = { headers, agent: false as const, lookup: lookupWithin(reach) };
  const request = send(url, options as Parameters<typeof send>[1]);
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
    request.on("close", () => reject(new Error("it hung up")));
  });
  request.on("socket", (socket) => socket.unref());
  request.end();
  return { request, answer };
}

const redirects = [301, 302, 303, 307, 308];

/** Where an answer sends the caller; null if it is no redirect. Throws for other answers than 200. */
function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null {
  if (statusCode === 200) return null;
  const next = redirects.includes(statusCode) ? URL.parse(headers.location ?? "", from.href) : null;
  if (next && /^https?:$/.test(next.protocol)) return next;
  throw new Error(`it answered with status ${statusCode}`);
}

function visitOf(answer: IncomingMessage, url: URL): Visit {
  const [type = "", ...parameters] = (answer.headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = /^\s*charset\s*=\s*"?([\w.:-]+)/.exec(
    parameters.find((one) => one.includes("charset")) ?? "",
  );
  return { url, type: type.trim(), charset: charset?.[1] ?? null, body: unpackBody(answer) };
}

function unpackBody(answer: IncomingMessage): AsyncIterable<Buffer> {
  const unpacking = unpackerOf((answer.headers["content-encoding"] ?? "identity").trim().toLowerCase());
  if (unpacking === null) return answer;
  pipeline(answer, unpacking, () => {});
  return unpacking;
}

function unpackerOf(encoding: string): (Readable & NodeJS.WritableStream) | null {
  if (encoding === "identity" || encoding === "") return null;
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "deflate") return createInflate();
  if (encoding === "br") return createBrotliDecompress();
  throw new Error("it answered in an unknown encoding");
}
