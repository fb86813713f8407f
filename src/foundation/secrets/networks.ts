// The network of an address; attempts are counted by network.
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The length of the longest valid address: some proxies forward any text that they were sent. */
const maxAddressLength = 45;

const groupsOfNetwork = 4;

/** An IPv4 address without its port, or the /64 network of an IPv6 one, which usually has one owner. */
export function networkOf(address: string): string {
  const host =
    /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
  const plain = host.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/s, "");
  if (isIP(plain) !== 6) return plain.slice(0, maxAddressLength);
  const groups = ipaddr.IPv6.parse(plain).toNormalizedString().split(":");
  return `${groups.slice(0, groupsOfNetwork).join(":")}::/64`;
}
