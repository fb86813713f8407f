// Tells browsers that came over TLS to come over TLS alone (HTTP Strict Transport Security).
import type { IncomingMessage, ServerResponse } from "node:http";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

export interface StrictTransport {
  /** For how long browsers remember it, in seconds; 0: no header. */
  seconds: number;
  /** Whether this server ends TLS itself. */
  hasTls: boolean;
  /** True for the addresses of reverse proxies, whose X-Forwarded-Proto is trusted. */
  isProxy?: ((address: string) => boolean) | undefined;
}

/** Adds the header to every answer to a request that came over TLS: over plain HTTP, anybody could have written it. */
export function strictly(answer: Listener, { seconds, hasTls, isProxy }: StrictTransport): Listener {
  if (seconds === 0) return answer;
  const value = `max-age=${seconds}`;
  return (incoming, outgoing) => {
    if (hasTls || isForwardedFromTls(incoming, isProxy))
      outgoing.setHeader("strict-transport-security", value);
    return answer(incoming, outgoing);
  };
}

function isForwardedFromTls(
  { headers, socket }: IncomingMessage,
  isProxy: StrictTransport["isProxy"],
): boolean {
  const said = headers["x-forwarded-proto"];
  if (said === undefined || !isProxy?.(socket.remoteAddress ?? "")) return false;
  return String(said).split(",")[0]?.trim().toLowerCase() === "https";
}
