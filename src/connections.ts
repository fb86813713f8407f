// What servers of HTTP/1.1 see to by themselves, for those with TLS, which do not: nobody may take for ever.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import type { TLSSocket } from "node:tls";

type Request = IncomingMessage & { stream?: ServerHttp2Stream };

/** A socket of HTTP/1.1 or a session of HTTP/2. */
interface Connection {
  once(event: "close", listener: () => void): unknown;
  destroy(): unknown;
}

interface Use {
  requests: number;
  idleSince: number;
}

export interface Connections {
  /** Ends all there are, with the requests under way in them. */
  closeAll(): void;
}

export interface Patience {
  /** How long a connection may stay open without a request. */
  idleMs: number;
  /** How long a request may take to arrive. */
  arrivalMs: number;
}

const sweepsInPatience = 8;

/** Ends connections that bring no request for too long, and requests that do not arrive whole. */
export function watchConnections(server: Server, { idleMs, arrivalMs }: Patience): Connections {
  const uses = new Map<Connection, Use>();
  const arriving = new Map<Request, number>();
  const opened = (connection: Connection) => {
    uses.set(connection, { requests: 0, idleSince: performance.now() });
    connection.once("close", () => uses.delete(connection));
  };

  server.on("session", opened);
  server.on("secureConnection", (socket: TLSSocket) => {
    if (socket.alpnProtocol !== "h2") opened(socket);
  });
  server.on("request", (request: Request, response: ServerResponse) => {
    const use = uses.get(request.stream?.session ?? (request.socket as TLSSocket));
    if (use) use.requests++;
    if (request.method !== "GET") arriving.set(request, performance.now());
    response.once("close", () => {
      arriving.delete(request);
      if (use) Object.assign(use, { requests: use.requests - 1, idleSince: performance.now() });
    });
  });
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [request, begun] of arriving) {
      if (now - begun > arrivalMs && !request.complete) cutOff(request);
    }
    for (const [connection, { requests, idleSince }] of uses) {
      if (requests === 0 && now - idleSince > idleMs) connection.destroy();
    }
  }, Math.min(idleMs, arrivalMs) / sweepsInPatience);
  server.once("close", () => clearInterval(sweep));
  return {
    closeAll() {
      for (const connection of uses.keys()) connection.destroy();
    },
  };
}

function cutOff({ stream, socket }: Request): void {
  if (stream) stream.close(constants.NGHTTP2_CANCEL);
  else socket.destroy();
}
