// Who asks from where, and what else endpoints may know of a request.
import type { Body, RequestFacts } from "./endpoint.ts";
import type { NodeParts } from "./http-answers.ts";

/** A request as the HTTP library hands it over. */
export interface Asking {
  env: unknown;
  req: { raw: Request; header(name: string): string | undefined };
}

interface Trust {
  /** True for the addresses of reverse proxies, which are believed when they say whom they forward. */
  isProxy?: (address: string) => boolean;
}

/** Where a request came from: the nearest address that is not a proxy of ours. */
export function addressOf(c: Asking, { isProxy }: Trust): string {
  const peer = ((c.env ?? {}) as NodeParts).incoming?.socket?.remoteAddress ?? "local";
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
