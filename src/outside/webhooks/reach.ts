// Which addresses the server may call for its users: the public Internet, and what the operator allows. Users who create bots or write
// links choose the URLs, which must not give access to this machine or its network.
import { type LookupAddress, lookup } from "node:dns";
import { isIP } from "node:net";
import { serverOptions } from "@/foundation/realm/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { isListed, type Networks, networkList } from "./schema.ts";

/**
 * Everything outside the public Internet: local and private networks, cloud metadata addresses, multicast,
 * documentation.
 */
const ranges = [
  "0.0.0.0/8,10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,172.16.0.0/12,192.0.0.0/24,192.0.2.0/24",
  "192.88.99.0/24,192.168.0.0/16,198.18.0.0/15,198.51.100.0/24,203.0.113.0/24,224.0.0.0/3",
  // Of IPv6, allows only what is assigned to the Internet, without ranges that embed other addresses.
  "::/3,4000::/2,8000::/1,2001::/23,2001:db8::/32,2002::/16,3fff::/20",
].join(",");

let parsedRanges: Networks | undefined;

function internal(): Networks {
  parsedRanges ??= networkList(ranges) as Networks;
  return parsedRanges;
}

export type MayConnect = (address: string) => boolean;

/** Whether an address may be called, by the server's option that opens networks for this use. */
export function reachOf(
  reads: Reads,
  option: "webhook_networks" | "preview_networks" = "webhook_networks",
): MayConnect {
  const opened = serverOptions.read(reads)[option];
  const allowed = opened === "" ? null : networkList(opened);
  return (address) => !isListed(internal(), address) || (allowed !== null && isListed(allowed, address));
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * A DNS lookup for sockets that only returns allowed addresses, so that the checked address is the one connected to.
 */
export function lookupWithin(reach: MayConnect) {
  return (
    host: string,
    options: { all?: boolean; family?: number | string },
    found: LookupCallback,
  ): void => {
    const family = typeof options.family === "number" ? options.family : 0;
    lookup(host, { all: true, family }, (error, addresses) => {
      if (error) return found(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => reach(address))) return found(outOfReach(host), []);
      if (options.all) found(null, addresses);
      else found(null, first.address, first.family);
    });
  };
}

/** Throws if the host is a literal IP address that is not allowed; literals are never looked up. */
export function checkLiteral(hostname: string, reach: MayConnect): void {
  const host = hostname.replaceAll(/[[\]]/g, "");
  if (isIP(host) !== 0 && !reach(host)) throw outOfReach(host);
}

function outOfReach(host: string): Error {
  return new Error(`${host} is in the server's own network, which its operator has not opened`);
}
