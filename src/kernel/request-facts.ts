// Who asks from where, and what else endpoints may know of a request.
import type { Body, RequestFacts } from "./endpoint.ts";
import type { NodeParts } from "./http-answers.ts";

/** A request as the HTTP library hands it over. */
export interface Asking {
  env: unknown;
  req: { raw: Request; url: string; header(name: string): string | undefined };
}

interface Trust {
  /** True for the addresses of reverse proxies, which are believed when they say whom they forward. */
  isProxy?: (address: string) => boolean;
}

function peerOf({ env }: Asking): string {
  return ((env ?? {}) as NodeParts).incoming?.socket?.remoteAddress ?? "local";
}

/** Where a request came from: the nearest address that is not a proxy of ours. */
export function addressOf(c: Asking, { isProxy }: Trust): string {
  const peer = peerOf(c);
  if (!isProxy?.(peer)) return peer;
  const said = (c.req.header("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  return said.findLast((address) => address !== "" && !isProxy(address)) ?? peer;
}

export function factsOf(c: Asking, options: Trust, { files }: Pick<Body, "files">): RequestFacts {
  const { outgoing } = (c.env ?? {}) as NodeParts;
  return {
    get address() {
      return addressOf(c, options);
    },
    header: (name) => c.req.header(name),
    files,
    onHangUp(listener) {
      // On a socket this costs less than an abort signal; what ended as it should sees a late, harmless call.
      if (outgoing) outgoing.once("close", listener);
      else c.req.raw.signal.addEventListener("abort", listener, { once: true });
    },
  };
}

/** By which address somebody asked; only a proxy of ours is believed about the scheme. */
export function siteAsked(c: Asking, { isProxy }: Trust): string | undefined {
  const proto = isProxy?.(peerOf(c)) ? c.req.header("x-forwarded-proto") : undefined;
  return askedSite(c.req.url, c.req.header("host"), proto) ?? undefined;
}

const name = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?";
const hostHeader = new RegExp(`^(?:${name}(?:\\.${name})*\\.?|\\[[0-9a-f:.]{2,45}\\])(?::[0-9]{1,5})?$`, "i");
const longestHost = 260;

/**
 * The address of a request, without a path; null where its `Host` is none that a client would open. Whoever asks chooses
 * it, so it belongs in their own answer alone.
 */
function askedSite(url: string, host: string | undefined, forwardedProto: string | undefined): string | null {
  const asked = URL.parse(url);
  if (!asked) return null;
  const named = host ?? asked.host;
  if (named.length > longestHost || !hostHeader.test(named)) return null;
  const scheme = /^https?$/.test(forwardedProto ?? "") ? `${forwardedProto}:` : asked.protocol;
  return URL.parse(`${scheme}//${named}`)?.origin ?? null;
}
