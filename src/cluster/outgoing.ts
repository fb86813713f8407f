// A request on its way from the node that got it to the leader.
import type { Entered, ForwardableRequest } from "@/kernel/http/forwarding.ts";

export const headerOf = {
  secret: "x-confab-node-secret",
  address: "x-confab-node-address",
  site: "x-confab-node-site",
  position: "x-confab-node-position",
  request: "x-confab-node-request",
  term: "x-confab-node-term",
  done: "x-confab-node-done",
  notLeading: "x-confab-node-not-leading",
  tried: "x-confab-node-tried",
  /** For clients: what the answer reports is saved, and this node's database does not have it yet. */
  notHereYet: "x-confab-not-here-yet",
} as const;

/** A body up to this size is buffered, so that it can be sent again; a larger one is streamed. */
const keptBytes = 1_048_576;
export const ofConnection = [
  "connection",
  "keep-alive",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
];

/** Prepares a request for the leader, with what this node knows of its client. */
export function outgoingOf(
  asked: ForwardableRequest,
  { address, site }: Entered,
  secret: string,
): OutgoingRequest {
  const request = asked.raw;
  const headers = new Headers(request.headers);
  // A client must not say what only a node may, such as what its request has written.
  for (const name of [...ofConnection, ...Object.values(headerOf)]) headers.delete(name);
  // Otherwise fetch adds its own, and the client may get an answer in an encoding that it did not ask for.
  for (const [name, absent] of [
    ["accept-encoding", "identity"],
    ["user-agent", ""],
  ] as const)
    if (!headers.has(name)) headers.set(name, absent);
  if (!headers.has("host")) headers.set("host", new URL(request.url).host);
  headers.set(headerOf.secret, secret);
  headers.set(headerOf.address, address);
  if (site !== undefined) headers.set(headerOf.site, site);
  return new OutgoingRequest(asked, headers);
}

export class OutgoingRequest {
  body: ArrayBuffer | ReadableStream<Uint8Array> | null = null;
  readonly request: Request;
  readonly isKept: boolean;
  /** The results of its writes that are in the log. */
  done: readonly unknown[] = [];
  private isRead = false;

  constructor(
    private readonly asked: ForwardableRequest,
    readonly headers: Headers,
  ) {
    this.request = asked.raw;
    const { method } = this.request;
    const length = this.request.headers.get("content-length");
    const hasNone = method === "GET" || method === "HEAD" || asked.hasNoBody;
    this.isKept = hasNone || (length !== null && Number(length) <= keptBytes);
    this.isRead = hasNone;
  }

  get kept(): ArrayBuffer | null {
    return this.body instanceof ArrayBuffer ? this.body : null;
  }

  async read(): Promise<void> {
    if (this.isRead) return;
    this.isRead = true;
    this.body = this.isKept ? await this.asked.arrayBuffer() : this.request.body;
  }
}

/** As a header; each result is in an array of its own, because JSON has no `undefined`. */
export function encodeResults(done: readonly unknown[]): string {
  return encodeURIComponent(JSON.stringify(done.map((one) => (one === undefined ? [] : [one]))));
}

export function decodeResults(text: string): unknown[] {
  return (JSON.parse(decodeURIComponent(text)) as unknown[][]).map(([one]) => one);
}
