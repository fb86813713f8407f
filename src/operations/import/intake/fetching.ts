// Fetches files that an export only links to. Connects by HTTPS to the source's own hosts only, and sends the token to no others.
import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface FetchOptions {
  /** Sent as a bearer token. */
  token: string | null;
  /** One more trusted host, with its port; may be without TLS. */
  host: string | null;
}

const maxBytes = 1_073_741_824;
const patienceMs = 60_000;
const maxHops = 3;

export class Fetcher {
  private count = 0;

  constructor(
    private readonly folder: string,
    private readonly hosts: readonly string[],
    private readonly options: FetchOptions,
  ) {}

  /** Downloads a file; returns its path, or null if that fails. */
  async fetch(address: string): Promise<string | null> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, String(++this.count));
    try {
      const answer = await this.get(address);
      if (!answer?.body) return null;
      await pipeline(
        Readable.fromWeb(answer.body as never),
        limitBytes(),
        createWriteStream(path, { mode: 0o600 }),
      );
      return path;
    } catch {
      rmSync(path, { force: true });
      return null;
    }
  }

  /** Follows a few redirects to trusted hosts. An HTML page instead of a file is a login form: returns null. */
  private async get(address: string): Promise<Response | null> {
    let url = address;
    for (let hop = 0; hop <= maxHops; hop++) {
      if (!this.isTrusted(url)) return null;
      const { token } = this.options;
      const headers = new Headers(token === null ? [] : [["authorization", `Bearer ${token}`]]);
      const answer = await fetch(url, {
        headers,
        redirect: "manual",
        signal: AbortSignal.timeout(patienceMs),
      });
      const next = answer.headers.get("location");
      if (answer.status >= 300 && answer.status < 400 && next) url = new URL(next, url).href;
      else return answer.ok && !answer.headers.get("content-type")?.startsWith("text/html") ? answer : null;
    }
    return null;
  }

  private isTrusted(address: string): boolean {
    const url = URL.parse(address);
    if (!url) return false;
    if (this.options.host !== null && url.host === this.options.host) return /^https?:$/.test(url.protocol);
    const isOfSource = this.hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
    return url.protocol === "https:" && url.port === "" && isOfSource;
  }
}

function limitBytes(): (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new Error("The file is too large");
      yield chunk;
    }
  };
}
