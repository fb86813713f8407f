// The emoji that are offered first as reactions: those that this device uses most, and then the most common ones.
import type { WireReaction } from "@/messaging/messages/schema.ts";
import type { State } from "../../state/state.ts";
import { type EmojiEntry, extra } from "./names.ts";

export type Reaction = Omit<WireReaction, "user_id">;

const common: readonly Reaction[] = Object.entries({
  "+1": "1f44d",
  heart: "2764",
  joy: "1f602",
  tada: "1f389",
  eyes: "1f440",
  pray: "1f64f",
}).map(([emoji_name, emoji_code]) => ({ emoji_name, emoji_code, reaction_type: "unicode_emoji" }));

const key = "emoji used";
const maxKept = 40;

interface Use extends Reaction {
  count: number;
}

/** Equal for reactions with the same emoji. */
export function reactionKey({ reaction_type, emoji_code }: Omit<Reaction, "emoji_name">): string {
  return `${reaction_type} ${emoji_code}`;
}

/** An emoji as reactions name it. */
export function reactionOf({ names, code, type }: EmojiEntry): Reaction {
  return { emoji_name: names[0] ?? "", emoji_code: code, reaction_type: type };
}

function readUses(): Use[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept)
      ? kept.filter((one) => typeof one?.emoji_code === "string" && one.count > 0)
      : [];
  } catch {
    return [];
  }
}

/** Counts that somebody reacted with it on this device. */
export function noteUse({ emoji_name, emoji_code, reaction_type }: Reaction): void {
  const used = { emoji_name, emoji_code, reaction_type };
  const uses = readUses();
  const count = (uses.find((one) => reactionKey(one) === reactionKey(used))?.count ?? 0) + 1;
  const others = uses.filter((one) => reactionKey(one) !== reactionKey(used));
  const sorted = [{ ...used, count }, ...others].sort((a, b) => b.count - a.count);
  localStorage.setItem(key, JSON.stringify(sorted.slice(0, maxKept)));
}

/** The six that are used most, the first ones first. */
export function frequentReactions({ realm_emoji }: State): Reaction[] {
  const isThere = ({ reaction_type, emoji_code }: Reaction) =>
    reaction_type === "unicode_emoji" ||
    reaction_type === extra.type ||
    realm_emoji[emoji_code]?.deactivated === false;
  const all = [...readUses().map(({ count: _, ...one }) => one), ...common].filter(isThere);
  return all
    .filter((one, at) => all.findIndex((other) => reactionKey(other) === reactionKey(one)) === at)
    .slice(0, 6);
}
