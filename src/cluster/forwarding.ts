// Requests between nodes: any node forwards to the leader what only the leader may answer.
import { isSame } from "@/foundation/auth/secrets.ts";
import { certificateFault } from "@/kernel/certificates.ts";
import type { NodeParts } from "@/kernel/http-answers.ts";
import type { Log } from "@/kernel/log.ts";
import { unconfirmed } from "@/kernel/logged-writes.ts";
import { serveFor } from "@/kernel/passed-on.ts";
import type { Entered, Relay } from "@/kernel/relay.ts";
import { notSaved } from "@/kernel/write-turns.ts";
import type { Trace } from "./history.ts";
import type { Leader } from "./shared-log.ts";

type Fetch = (request: Request, env?: unknown) => Response | Promise<Response>;

/** What forwarding needs from a node. */
interface Following {
  readonly leads: boolean;
  readonly leader: Leader | null;
  readonly leaderGone: AbortSignal;
  readonly position: number;
  readonly term: number;
  readonly trace: Trace;
  reach(seq: number, ms: number): Promise<boolean>;
  checkLog(): Promise<boolean>;
}

interface Options {
  /** A secret that only the nodes of the cluster know. */
  readonly secret: string;
  /** CA certificates (PEM) of the other nodes, unless a public authority signs theirs. */
  readonly ca?: string | undefined;
  /** How long a request waits for a leader. */
  readonly patienceMs?: number;
  readonly log?: Log;
}

const headerOf = {
  secret: "x-confab-node-secret",
  address: "x-confab-node-address",
  site: "x-confab-node-site",
  position: "x-confab-node-position",
  request: "x-confab-node-request",
  notLeading: "x-confab-node-not-leading",
} as const;

const usualPatienceMs = 8_000;
const retryMs = 50;
const silenceMs = 10_000;
/** How long an answer waits for this node's database to hold the writes it reports. */
const reachMs = 1_000;
/** A body up to this size is buffered, so that it can be sent again; a larger one is streamed. */
const keptBytes = 1_048_576;
const ofConnection = ["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect"];
const bodiless = [204, 205, 304];

export class Forwarding implements Relay {
  private complained = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly node: Following,
    private readonly options: Options,
  ) {}

  get leads(): boolean {
    return this.node.leads;
  }

  async catchUp(): Promise<void> {
    if (!this.leads) await this.node.checkLog();
  }

  /** Serves clients, and the other nodes that pass requests on to this one. */
  receiving(serve: Fetch): Fetch {
    return async (request, env) => {
      const secret = request.headers.get(headerOf.secret);
      if (secret === null) return serve(request, env);
      if (!isSame(secret, this.options.secret)) return stranger();
      if (!this.leads) return notNow(notSaved, { [headerOf.notLeading]: "1" });
      const entered: Entered = {
        address: request.headers.get(headerOf.address) ?? "",
        site: request.headers.get(headerOf.site) ?? undefined,
      };
      const passed = { id: request.headers.get(headerOf.request) ?? "", term: this.node.term };
      const response = await serveFor(passed, () =>
        serve(request, { ...(env as NodeParts | undefined), entered }),
      );
      response.headers.set(headerOf.position, String(this.node.position));
      return response;
    };
  }

  async pass(asked: { raw: Request }, entered: Entered): Promise<Response | null> {
    const request = asked.raw;
    const until = performance.now() + (this.options.patienceMs ?? usualPatienceMs);
    const outgoing = this.outgoing(request, entered);
    while (performance.now() < until) {
      if (this.leads) return keepFor(asked, outgoing.kept);
      const { leader } = this.node;
      if (leader) {
        await outgoing.read();
        const response = await this.ask(leader, outgoing, until);
        if (response) return response;
        if (!outgoing.isKept) break;
      }
      await Bun.sleep(retryMs);
    }
    return notNow(notSaved);
  }

  private outgoing(request: Request, { address, site }: Entered): Outgoing {
    const headers = new Headers(request.headers);
    for (const name of ofConnection) headers.delete(name);
    // Otherwise fetch adds its own, and the client may get an answer in an encoding that it did not ask for.
    for (const [name, absent] of [
      ["accept-encoding", "identity"],
      ["user-agent", ""],
    ] as const)
      if (!headers.has(name)) headers.set(name, absent);
    if (!headers.has("host")) headers.set("host", new URL(request.url).host);
    headers.set(headerOf.secret, this.options.secret);
    headers.set(headerOf.address, address);
    if (site !== undefined) headers.set(headerOf.site, site);
    return new Outgoing(request, headers);
  }

  /** The leader's answer; null if the request certainly had no effect, so that it may be sent again. */
  private async ask(leader: Leader, outgoing: Outgoing, until: number): Promise<Response | null> {
    const { request, headers, body, isKept } = outgoing;
    const id = crypto.randomUUID();
    headers.set(headerOf.request, id);
    const traced = this.node.trace.follow(id);
    const { pathname, search } = new URL(request.url);
    const { ca } = this.options;
    const { leaderGone } = this.node;
    const ending = new AbortController();
    const end = () => ending.abort();
    leaderGone.addEventListener("abort", end);
    request.signal.addEventListener("abort", end, { once: true });
    try {
      const response = await fetch(leader.url + pathname + search, {
        method: request.method,
        headers,
        body,
        signal: leaderGone.aborted ? leaderGone : ending.signal,
        redirect: "manual",
        decompress: false,
        ...(ca === undefined ? {} : { tls: { ca } }),
      });
      if (response.headers.has(headerOf.notLeading)) return null;
      await this.node.reach(Number(response.headers.get(headerOf.position) ?? 0), reachMs);
      return answerOf(response);
    } catch (error) {
      // Nothing was sent, so the request had no effect.
      if (/^(ECONNREFUSED|ConnectionRefused|ENOTFOUND)$/.test(String((error as { code?: unknown }).code)))
        return null;
      const fault = certificateFault(error, "node_ca");
      if (fault) {
        this.complain(leader, fault);
        return null;
      }
      const mayRepeat = isKept && !request.signal.aborted;
      return mayRepeat && (await this.hasNoEffect(traced, leader, until)) ? null : notNow(unconfirmed);
    } finally {
      traced.end();
      leaderGone.removeEventListener("abort", end);
    }
  }

  /** A request that waits tries again and again: do not log each attempt. */
  private complain({ node, url }: Leader, fault: string): void {
    if (performance.now() - this.complained < silenceMs) return;
    this.complained = performance.now();
    this.options.log?.error("cluster_forwarding_failed", {
      error: `The certificate of ${node} at ${url} ${fault}.`,
    });
  }

  /**
   * Whether the log has nothing of a request and never will: once another term has begun, the leader that was asked can
   * append nothing that it began before.
   */
  private async hasNoEffect(
    traced: { readonly isInLog: boolean },
    asked: Leader,
    until: number,
  ): Promise<boolean> {
    const { node } = this;
    let since: number | null = null;
    while (performance.now() < until && !traced.isInLog) {
      if (since === null && (await node.checkLog())) since = node.term;
      const isOver = since !== null && (node.term > since || ![null, asked.node].includes(node.trace.leader));
      if (isOver) return !traced.isInLog;
      await Bun.sleep(retryMs);
    }
    return false;
  }
}

/** A request on its way to the leader. */
class Outgoing {
  body: ArrayBuffer | ReadableStream<Uint8Array> | null = null;
  readonly isKept: boolean;
  private isRead = false;

  constructor(
    readonly request: Request,
    readonly headers: Headers,
  ) {
    const { method } = request;
    const length = request.headers.get("content-length");
    const hasNone = method === "GET" || method === "HEAD";
    this.isKept = hasNone || (length !== null && Number(length) <= keptBytes);
    this.isRead = hasNone;
  }

  get kept(): ArrayBuffer | null {
    return this.body instanceof ArrayBuffer ? this.body : null;
  }

  async read(): Promise<void> {
    if (this.isRead) return;
    this.isRead = true;
    this.body = this.isKept ? await this.request.arrayBuffer() : this.request.body;
  }
}

/** Restores the body of a request that was read. */
function keepFor(asked: { raw: Request }, body: ArrayBuffer | null): null {
  const { url, method, headers } = asked.raw;
  if (body) asked.raw = new Request(url, { method, headers, body });
  return null;
}

function answerOf(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const name of [...ofConnection, headerOf.position]) headers.delete(name);
  const body = bodiless.includes(response.status) ? null : response.body;
  return new Response(body, { status: response.status, headers });
}

function stranger(): Response {
  const msg = "The server that passed this request on belongs to another cluster.";
  return Response.json({ result: "error", code: "BAD_REQUEST", msg }, { status: 403 });
}

/** The same error that a standalone server gives. */
function notNow(msg: string, headers: Record<string, string> = {}): Response {
  const body = { result: "error", code: "SERVER_NOT_READY", msg };
  return Response.json(body, { status: 503, headers: { "retry-after": "1", ...headers } });
}
