// Which network an address belongs to, where attempts are counted.
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The longest valid address: some proxies pass on whatever text they were sent. */
const longest = 45;
const groupsOfNetwork = 4;

/** An IPv4 address, or the network of an IPv6 one: whoever has one of its addresses has 2^64. Ports do not count. */
export function networkOf(address: string): string {
  const host =
    /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
  const plain = host.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/s, "");
  if (isIP(plain) !== 6) return plain.slice(0, longest);
  const groups = ipaddr.IPv6.parse(plain).toNormalizedString().split(":");
  return `${groups.slice(0, groupsOfNetwork).join(":")}::/64`;
}
