import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { z } from "zod";

/** Limits of calls. `pauses` are the seconds before each retry; after the last one, the call has failed. */
export const calling = {
  timeoutMs: 10_000,
  pauses: [2, 10],
  maxReplyBytes: 1_048_576,
  /** Concurrent calls; the owners are bots. */
  limits: { atOnce: 10, perOwner: 3, perHost: 8, perSlowHost: 4 },
  everySeconds: 1,
} as const;

/** Limits of tests: of each person in a minute, of all at once, and how much of a reply is shown. */
export const testing = { perMinute: 10, atOnce: 10, pauseSeconds: 10, maxReply: 2000 } as const;

/** What became of a test: `problem` is null if it is one that would have worked. */
export const testAnswer = z.object({
  status: z.int().nullable(),
  /** What the bot would have written; null if nothing. */
  reply: z.string().nullable(),
  problem: z.string().nullable(),
  milliseconds: z.int(),
});
export type TestAnswer = z.infer<typeof testAnswer>;

export const triggers = { mention: "mention", direct: "direct_message" } as const;
export type Trigger = (typeof triggers)[keyof typeof triggers];

/** Parsed networks; a single address is a network of one. */
export type Networks = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number][];

/** Parses addresses and networks (10.0.0.0/8), separated by commas; null if one of them is invalid. */
export function networkList(text: string): Networks | null {
  const networks = text.split(",").map((part) => networkIn(part.trim()));
  return networks.every((network) => network !== null) ? networks : null;
}

function networkIn(text: string): Networks[number] | null {
  const address = parseAddress(text.split("/", 1)[0] as string);
  if (!address) return null;
  if (!text.includes("/")) return [address, address.kind() === "ipv4" ? 32 : 128];
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

/** Whether an address is in a list; an IPv4 address and its IPv6 form (::ffff:10.0.0.1) are the same. */
export function isListed(networks: Networks, address: string): boolean {
  const plain = parseAddress(address.replace(/^::ffff:(?=\d+\.)/i, ""));
  return (
    plain !== null && networks.some(([net, bits]) => net.kind() === plain.kind() && plain.match(net, bits))
  );
}

/** Without isIP, ipaddr.js would also take "127.1" and octal numbers. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return isIP(address) === 0 ? null : ipaddr.parse(address);
}
