// A web server that stands in for other services. Does not use Bun.serve: once a test has served Confab in this process,
// `Response` is the HTTP library's class, which Bun.serve refuses.
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

export interface Arrived {
  method: string;
  /** Without the query. */
  path: string;
  /** With the query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The client's port: that of its connection. */
  port: number;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

export interface PlainServer {
  port: number;
  stop(): Promise<void>;
}

/** Listens on the loopback address only. */
export async function servePlain(reply: (arrived: Arrived) => Reply | Promise<Reply>): Promise<PlainServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "/" } = request;
    const path = url.split("?", 1)[0] as string;
    const {
      status = 200,
      headers,
      body,
    } = await reply({
      method,
      path,
      url,
      headers: request.headers,
      body: Buffer.concat(chunks),
      port: request.socket.remotePort ?? 0,
    });
    response.writeHead(status, headers).end(body);
  });
  return listening(server, 0);
}

/** As `servePlain`, by a function that answers web requests; `port` is by default a free one, `host` another loopback address. */
export function serveFetch(
  fetch: (request: Request) => Response | Promise<Response>,
  port = 0,
  host = loopback,
): Promise<PlainServer> {
  const answer = getRequestListener((request) => fetch(request), { overrideGlobalObjects: false });
  const server = createServer(answer);
  // A client that keeps its connection must not find it closed when it asks again.
  server.keepAliveTimeout = 0;
  return listening(server, port, host);
}

const loopback = "127.0.0.1";

async function listening(server: Server, port: number, host = loopback): Promise<PlainServer> {
  await new Promise<void>((resolve) => void server.listen(port, host, () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
