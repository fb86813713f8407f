import { BlockList, isIP } from "node:net";

/** Whether an address is among those that a text lists, alone or as networks (10.0.0.0/8); null where one is none. */
export function addressList(text: string): ((address: string) => boolean) | null {
  const list = new BlockList();
  for (const item of text.split(",").map((part) => part.trim())) {
    const [address = "", prefix] = item.split("/");
    const family = familyOf(address);
    const bits = prefix === undefined ? null : Number(prefix);
    const most = family === "ipv4" ? 32 : 128;
    if (!family || (bits !== null && !(Number.isInteger(bits) && bits >= 0 && bits <= most))) return null;
    if (bits === null) list.addAddress(address, family);
    else list.addSubnet(address, bits, family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
    const family = familyOf(plain);
    return family !== null && list.check(plain, family);
  };
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? "ipv4" : "ipv6";
}
