// The names of flags on the wire.

import { flagBits, messageBits, messageFlags } from "@/messaging/message-rows/schema.ts";

const rareFlags = Object.entries(messageFlags).filter(([, { bit }]) => bit !== 0);

interface KnownOf {
  rare: number;
  shared: number;
  received: boolean;
}

const knownNames = new Map<number, readonly string[]>();

/** The names of flags, with the same list for the same flags. */
export function namesOf(isShownRead: boolean, known: KnownOf): readonly string[] {
  const { rare, shared, received } = known;
  const key =
    rare * 8 +
    (received ? 4 : 0) +
    (isShownRead ? 2 : 0) +
    ((shared & messageBits.channelWildcard) === 0 ? 0 : 1);
  const found = knownNames.get(key);
  if (found) return found;
  const names = isShownRead ? ["read"] : [];
  addNames(names, known);
  knownNames.set(key, names);
  return names;
}

function addNames(names: string[], { rare, shared, received }: KnownOf): void {
  if (rare !== 0) for (const [name, { bit }] of rareFlags) if ((rare & bit) !== 0) names.push(name);
  const isChannelWildcard = (shared & messageBits.channelWildcard) !== 0;
  if (isChannelWildcard) names.push("stream_wildcard_mentioned");
  if (isChannelWildcard || (rare & flagBits.topicWildcard) !== 0) names.push("wildcard_mentioned");
  if (!received && (rare & flagBits.historical) === 0) names.push("historical");
}
