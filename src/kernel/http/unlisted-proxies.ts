// Notices reverse proxies that are not trusted: without their word, all people behind them count as one address.
import ipaddr from "ipaddr.js";
import type { Log } from "@/kernel/lib/log.ts";
import { chainOf, type HttpRequest } from "./request-facts.ts";

const maxKept = 8;
/** Others may send forwarding headers, too, but a proxy on the Internet is rarely the operator's own. */
const nearby = ["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"];

interface Options {
  isProxy?: ((address: string) => boolean) | undefined;
  log: Log;
  /** Called once for each address. */
  onFound?: ((address: string) => void) | undefined;
}

/** Returns a function that looks at each request of a client. */
export function noticeUnlistedProxies({ isProxy, log, onFound }: Options): (c: HttpRequest) => void {
  const known = new Set<string>();
  return (c) => {
    if (known.size >= maxKept) return;
    const chain = chainOf(c);
    if (chain === null) return;
    const last = chain.findLastIndex((address) => !isProxy?.(address));
    const address = chain[last];
    if (address === undefined || last === 0 || known.has(address) || !isNearby(address)) return;
    known.add(address);
    const remedy = `If it is your reverse proxy: trusted_proxy = "${address}"`;
    log.warn("unlisted_proxy", { address, remedy });
    onFound?.(address);
  };
}

function isNearby(address: string): boolean {
  return ipaddr.isValid(address) && nearby.includes(ipaddr.process(address).range());
}
