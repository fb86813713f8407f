import { isListed, networkList } from "@/outside/webhooks/schema.ts";

/**
 * Parses a list of IP addresses and networks (10.0.0.0/8); returns a function that tells whether an address is in the
 * list, or null if the list is invalid.
 */
export function addressList(text: string): ((address: string) => boolean) | null {
  const list = networkList(text);
  return list && ((address) => isListed(list, address));
}
