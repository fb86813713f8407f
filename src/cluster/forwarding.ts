// Requests that write reach the node that leads, whichever node a client asks.
import { unconfirmed } from "@/kernel/logged-writes.ts";
import { notSaved } from "@/kernel/write-turns.ts";
import type { ClusterNode } from "./node.ts";

type Fetch = (request: Request, env?: unknown) => Response | Promise<Response>;

const positionHeader = "x-confab-position";
const notLeadingHeader = "x-confab-not-leading";
/** How long a write waits for a leader. */
const patienceMs = 8_000;
const retryMs = 50;
/** How long an answer waits until this node's database holds what it says. */
const reachMs = 1_000;
/** What other nodes' clients do not need, or what describes the connection and not the answer. */
const ofConnection = ["connection", "keep-alive", "transfer-encoding", positionHeader];

/** Writes that concern the asked node alone: its event queues, and reads that take their parameters in a body. */
const here = /^\/(api\/v1|json)\/(register|events|messages\/render)$/;

/** Serves reads from this node's database, and passes everything else to the leader. */
export function forwarding(node: ClusterNode, serveHere: Fetch): Fetch {
  return (request, env) => {
    const { pathname, search } = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD" || here.test(pathname);
    if (isRead) return serveHere(request, env);
    const isForwarded = request.headers.has(positionHeader);
    if (node.leads) return withPosition(node, serveHere(request, env), isForwarded);
    // Only one node passes a request on: two that each take the other for the leader would do so forever.
    if (isForwarded) return notNow("no", { [notLeadingHeader]: "1" });
    return forward(node, request, pathname + search, (one) => serveHere(one, env));
  };
}

async function withPosition(
  node: ClusterNode,
  answer: Response | Promise<Response>,
  isAsked: boolean,
): Promise<Response> {
  const response = await answer;
  if (isAsked) response.headers.set(positionHeader, String(node.position));
  return response;
}

async function forward(
  node: ClusterNode,
  request: Request,
  path: string,
  serveHere: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const until = performance.now() + patienceMs;
  const headers = new Headers(request.headers);
  for (const name of ofConnection) headers.delete(name);
  headers.set(positionHeader, String(node.position));
  let body: ArrayBuffer | undefined;
  while (performance.now() < until) {
    const { method, url } = request;
    const { leader } = node;
    if (node.leads)
      return serveHere(body ? new Request(url, { method, headers: request.headers, body }) : request);
    if (leader) {
      body ??= await request.arrayBuffer();
      const response = await ask(leader.url + path, { method, headers, body, node });
      if (response) return response;
    }
    await Bun.sleep(retryMs);
  }
  return notNow("no");
}

interface Asked {
  method: string;
  headers: Headers;
  body: ArrayBuffer;
  node: ClusterNode;
}

/** The leader's answer; null if the request certainly did nothing there, so that it may be sent again. */
async function ask(url: string, { method, headers, body, node }: Asked): Promise<Response | null> {
  try {
    const signal = node.leaderGone;
    const response = await fetch(url, {
      method,
      headers,
      body,
      signal,
      redirect: "manual",
      decompress: false,
    });
    if (response.headers.has(notLeadingHeader)) return null;
    await node.reach(Number(response.headers.get(positionHeader) ?? 0), reachMs);
    const kept = new Headers(response.headers);
    for (const name of ofConnection) kept.delete(name);
    return new Response(response.body, { status: response.status, headers: kept });
  } catch (error) {
    if ((error as { code?: string }).code === "ConnectionRefused") return null;
    return notNow("unknown");
  }
}

/** In the words of a server that stands alone. */
function notNow(isSaved: "no" | "unknown", headers: Record<string, string> = {}): Response {
  const body = { result: "error", code: "SERVER_NOT_READY", msg: isSaved === "no" ? notSaved : unconfirmed };
  return Response.json(body, { status: 503, headers: { "retry-after": "1", ...headers } });
}
