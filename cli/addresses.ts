import { isListed, networkList } from "@/outside/webhooks/schema.ts";

/** Whether an address is among those that a text lists, alone or as networks (10.0.0.0/8); null where one is none. */
export function addressList(text: string): ((address: string) => boolean) | null {
  const list = networkList(text);
  return list && ((address) => isListed(list, address));
}
