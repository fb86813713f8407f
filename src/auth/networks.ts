// Whom a network address stands for, where attempts are counted.
import { isIP } from "node:net";

/** The longest an address can be; some proxies pass on whatever they were told. */
const longest = 45;
const groupsOfNetwork = 4;

/** An IPv4 address, or the network of an IPv6 one: whoever has one of its addresses has 2^64. Ports do not count. */
export function networkOf(address: string): string {
  const host =
    /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
  const plain = host.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/s, "");
  if (isIP(plain) !== 6) return plain.slice(0, longest);
  return `${groupsOf(plain).slice(0, groupsOfNetwork).join(":")}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [first = [], last = []] = canonical.split("::").map((part) => part.split(":").filter(Boolean));
  return [...first, ...Array(8 - first.length - last.length).fill("0"), ...last];
}
