// The client's address, and other facts that endpoints may know about a request.

import type { Log, LogFields } from "@/kernel/lib/log.ts";
import type { ReceivedFile, RequestFacts } from "./endpoint.ts";
import type { Entered } from "./forwarding.ts";
import { hasHungUp, type NodeParts } from "./http-answers.ts";

/** A request as the HTTP library passes it. */
export interface HttpRequest {
  env: unknown;
  req: { raw: Request; method: string; url: string; header(name: string): string | undefined };
}

interface Trust {
  /** True for the addresses of reverse proxies, whose forwarding headers are trusted. */
  isProxy?: (address: string) => boolean;
}

interface Serving extends Trust {
  log: Log;
}

const partsOf = ({ env }: HttpRequest) => (env ?? {}) as NodeParts;

function peerOf(c: HttpRequest): string {
  return partsOf(c).incoming?.socket?.remoteAddress ?? "local";
}

/** The same object for all requests of a client's connection; undefined if it is unknown. */
export function connectionOf(c: HttpRequest): object | undefined {
  return partsOf(c).incoming?.socket;
}

/** Such as 1.1; undefined if it is unknown. */
export function httpVersionOf(c: HttpRequest): string | undefined {
  return partsOf(c).incoming?.httpVersion;
}

/** Whether a body of undeclared length follows the headers, though it may be empty. */
export function hasUndeclaredBody(c: HttpRequest): boolean {
  const { incoming } = partsOf(c);
  if (incoming?.httpVersion === "2.0") return !incoming.stream?.endAfterHeaders;
  return c.req.header("transfer-encoding") !== undefined;
}

/** What the node that passed the request on knows about it; undefined for a client's own request. */
export function findEntered(c: HttpRequest): Entered | undefined {
  return partsOf(c).entered;
}

/** The client's address: the nearest one that is not a trusted proxy. */
export function addressOf(c: HttpRequest, { isProxy }: Trust): string {
  const entered = findEntered(c);
  if (entered) return entered.address;
  const peer = peerOf(c);
  if (!isProxy?.(peer)) return peer;
  const forwarded = (c.req.header("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  return forwarded.findLast((address) => address !== "" && !isProxy(address)) ?? peer;
}

/** Where a request came through: the addresses that proxies forward, from the client on, and the peer; null if none are forwarded. */
export function chainOf(c: HttpRequest): string[] | null {
  const given = c.req.header("x-forwarded-for") ?? c.req.header("forwarded");
  if (given === undefined || findEntered(c)) return null;
  return [...given.split(",").map((part) => part.trim()), peerOf(c)].filter((address) => address !== "");
}

const noFiles: readonly ReceivedFile[] = [];

/** The facts of one request, with what the HTTP layer adds to them on the way. */
export class Facts implements RequestFacts {
  files: readonly ReceivedFile[] = noFiles;
  /** The values of `Set-Cookie` in the answer. */
  readonly cookies: string[] = [];

  constructor(
    private readonly asking: HttpRequest,
    private readonly options: Serving,
  ) {}

  get method(): string {
    return this.asking.req.method;
  }

  get pathAndQuery(): string {
    const url = URL.parse(this.asking.req.url);
    return url ? url.pathname + url.search : this.asking.req.url;
  }

  get address(): string {
    return addressOf(this.asking, this.options);
  }

  get isSecure(): boolean {
    return URL.parse(siteAsked(this.asking, this.options) ?? "")?.protocol === "https:";
  }

  // Functions of their own, since endpoints take them apart from the object; made where they are read, which few requests do.
  get header() {
    return (name: string) => this.asking.req.header(name);
  }

  get setCookie() {
    return (cookie: string) => {
      this.cookies.push(cookie);
    };
  }

  get warn() {
    return (event: string, fields: LogFields) => this.options.log.warn(event, fields);
  }

  get onHangUp() {
    return (listener: () => void) => {
      const { outgoing } = partsOf(this.asking);
      // A socket listener costs less than an abort signal. It also runs after a normal end, which does no harm.
      if (outgoing) {
        if (hasHungUp(outgoing)) listener();
        else outgoing.on("close", listener);
      } else this.asking.req.raw.signal.addEventListener("abort", listener, { once: true });
    };
  }
}

/** The URL at which the client asked; a trusted proxy may say what scheme and host the client used. */
export function siteAsked(c: HttpRequest, { isProxy }: Trust): string | undefined {
  const entered = findEntered(c);
  if (entered) return entered.site;
  const forwardedHeader = (part: string) =>
    isProxy?.(peerOf(c)) ? c.req.header(`x-forwarded-${part}`)?.split(",")[0]?.trim() : undefined;
  const host = forwardedHeader("host") || c.req.header("host");
  return cachedSiteOf(c.req.url, host, forwardedHeader("proto")) ?? undefined;
}

const name = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?";
const hostHeader = new RegExp(`^(?:${name}(?:\\.${name})*\\.?|\\[[0-9a-f:.]{2,45}\\])(?::[0-9]{1,5})?$`, "i");
const maxHostLength = 260;

let last = { scheme: "", host: "", proto: undefined as string | undefined, site: null as string | null };

/** As `siteOf`; keeps the last result, because most requests of a server name the same host. */
function cachedSiteOf(url: string, host: string | undefined, proto: string | undefined): string | null {
  if (host === undefined) return siteOf(url, host, proto);
  const scheme = url.slice(0, url.indexOf(":"));
  const isSame = last.host === host && last.scheme === scheme && last.proto === proto;
  if (!isSame) last = { scheme, host, proto, site: siteOf(url, host, proto) };
  return last.site;
}

/**
 * The origin of a request's URL; null if its `Host` is not one that a client would open. The client chooses it, so use
 * it only in the answer to that client.
 */
function siteOf(url: string, host: string | undefined, forwardedProto: string | undefined): string | null {
  const asked = URL.parse(url);
  if (!asked) return null;
  const named = host ?? asked.host;
  if (named.length > maxHostLength || !hostHeader.test(named)) return null;
  const scheme = /^https?$/.test(forwardedProto ?? "") ? `${forwardedProto}:` : asked.protocol;
  return URL.parse(`${scheme}//${named}`)?.origin ?? null;
}
