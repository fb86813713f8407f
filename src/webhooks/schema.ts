import { BlockList, isIP } from "node:net";

/** What a call has to keep to. Seconds after a try that failed; when they are used up, the call has failed. */
export const calling = {
  timeoutMs: 10_000,
  pauses: [2, 10],
  mostReplyBytes: 1_048_576,
  atOnce: 10,
  perBot: 3,
  everySeconds: 1,
} as const;

export const triggers = { mention: "mention", direct: "direct_message" } as const;
export type Trigger = (typeof triggers)[keyof typeof triggers];

/** Apart by family: one list would take an IPv4 address for what contains its IPv6 form. */
export interface Networks {
  ipv4: BlockList;
  ipv6: BlockList;
}

/** Addresses, alone or as networks (10.0.0.0/8), separated by commas; null where one is none. */
export function networkList(text: string): Networks | null {
  const networks = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const item of text.split(",").map((part) => part.trim())) {
    const [address = "", prefix] = item.split("/");
    const family = familyOf(address);
    const bits = prefix === undefined ? null : Number(prefix);
    const most = family === "ipv4" ? 32 : 128;
    if (!family || (bits !== null && !(Number.isInteger(bits) && bits >= 0 && bits <= most))) return null;
    if (bits === null) networks[family].addAddress(address, family);
    else networks[family].addSubnet(address, bits, family);
  }
  return networks;
}

/** Whether an address is in a list; an IPv4 address means the same in its IPv6 form. */
export function isListed(networks: Networks, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const family = familyOf(plain);
  return family !== null && networks[family].check(plain, family);
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? "ipv4" : "ipv6";
}
