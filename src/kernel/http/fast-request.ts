// A request of node:http in the form in which runners read it, without the web Request that it could be.
import type { IncomingMessage, ServerResponse } from "node:http";
import { hasHungUp } from "./http-answers.ts";

/** Larger bodies, and those without a declared length, go through the HTTP library. */
const maxBodyBytes = 65_536;
/** Hosts that a URL parser would leave as they are. */
const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d|[1-9])\d{3})?$/;

const utf8 = new TextDecoder();

export class FastRequest {
  readonly method: string;
  hasUnreadBody: boolean;
  private readonly fields: readonly string[];
  private readonly host: string | undefined;
  private body: Promise<Buffer> | undefined;
  private made: Request | undefined;

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly outgoing: ServerResponse,
  ) {
    this.method = incoming.method ?? "";
    this.fields = incoming.rawHeaders;
    this.host = this.header("host");
    this.hasUnreadBody = this.method !== "GET";
  }

  get isUsual(): boolean {
    if (this.host === undefined || !plainHost.test(this.host)) return false;
    if (!this.hasUnreadBody) return true;
    const length = this.header("content-length");
    return length !== undefined && Number(length) <= maxBodyBytes;
  }

  get url(): string {
    return `http://${this.host}${this.incoming.url}`;
  }

  get query(): string {
    const { url = "" } = this.incoming;
    const mark = url.indexOf("?");
    return mark < 0 ? "" : url.slice(mark + 1);
  }

  /** For what only a web Request can tell: one without a body, which is aborted if the client hangs up. */
  get raw(): Request {
    this.made ??= this.withSignal();
    return this.made;
  }

  set raw(request: Request) {
    this.made = request;
  }

  private withSignal(): Request {
    const { outgoing, method } = this;
    const headers = new Headers();
    for (let i = 0; i < this.fields.length; i += 2) {
      headers.append(this.fields[i] as string, this.fields[i + 1] as string);
    }
    const ending = new AbortController();
    const end = () => {
      if (!outgoing.writableFinished) ending.abort();
    };
    if (hasHungUp(outgoing)) end();
    else outgoing.on("close", end);
    return new Request(this.url, { method, headers, signal: ending.signal });
  }

  get headers(): { get(name: string): string | null } {
    return { get: (name) => this.header(name) ?? null };
  }

  /** All fields of a name, joined as a web Request joins them; `name` is in lower case. */
  header(name: string): string | undefined {
    const { fields } = this;
    let found: string | undefined;
    for (let i = 0; i < fields.length; i += 2) {
      const field = fields[i] as string;
      if (!isNamed(field, name)) continue;
      const value = fields[i + 1] as string;
      found = found === undefined ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
    }
    return found;
  }

  param(): undefined {}

  async text(): Promise<string> {
    return utf8.decode(await this.bytes());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.bytes();
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  }

  /** Kept, because a request that is passed on may come back. */
  private bytes(): Promise<Buffer> {
    this.body ??= this.reading();
    return this.body;
  }

  private reading(): Promise<Buffer> {
    const { incoming, outgoing } = this;
    return new Promise((resolve, reject) => {
      const rejectBroken = () => reject(new Error("The client closed the connection."));
      // While the node read the log to know who asks, the client may have hung up.
      if (hasHungUp(outgoing)) return rejectBroken();
      const pieces: Buffer[] = [];
      incoming.on("data", (piece: Buffer) => pieces.push(piece));
      incoming.on("end", () => {
        this.hasUnreadBody = false;
        resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
      });
      incoming.on("error", reject);
      incoming.on("close", () => {
        if (this.hasUnreadBody) rejectBroken();
      });
    });
  }
}

/**
 * Whether a field has this name, which is in lower case. Names are ASCII without control characters, so one bit turns a letter
 * into lower case and changes nothing else; `toLowerCase` would create a string for each field of each request.
 */
function isNamed(field: string, name: string): boolean {
  if (field.length !== name.length) return false;
  for (let i = 0; i < name.length; i++) {
    if ((field.charCodeAt(i) | 0x20) !== name.charCodeAt(i)) return false;
  }
  return true;
}
