// Looks up in turns what people have starred in a channel, before a transaction that changes who may read it: in front of ten
// thousand clients, that takes a tenth of a second.
import { usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { Ctx, Reads } from "@/kernel/context.ts";
import { perApp } from "@/kernel/per-app.ts";
import { inTurns, type Steps } from "@/kernel/steps.ts";
import { type StarsSeen, seeStars, starsChangedSince } from "@/messaging/alterations/access.ts";
import { starsOf } from "@/messaging/receipts/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";

/** By user, the IDs of starred messages, ascending. Users without any are missing. */
type Stars = Map<number, number[]>;

interface Lookup {
  seen: StarsSeen;
  users: ReadonlySet<number>;
  stars: Stars;
}

/** The stars of so few are looked up in the transaction. */
const few = 500;
/** Users in one step. */
const portion = 50;

const lookupsOf = perApp(() => new Map<number, Lookup>());

/** Looks up the stars of those who listen. Returns a function that forgets them. */
export async function lookUpStars(ctx: Ctx, channelId: number): Promise<() => void> {
  // A node does not know who listens to the others.
  const users = [...(ctx.db.peers ? usersUpTo(ctx, roles.guest) : ctx.env.queues.users.keys())];
  if (users.length <= few) return () => {};
  const conversationId = channelConversation(ctx, channelId);
  const seen = seeStars(ctx);
  const stars = await inTurns(starsOfMany(ctx, conversationId, users));
  const lookup = { seen, users: new Set(users), stars };
  const lookups = lookupsOf(ctx);
  lookups.set(conversationId, lookup);
  return () => {
    if (lookups.get(conversationId) === lookup) lookups.delete(conversationId);
  };
}

function* starsOfMany(ctx: Ctx, conversationId: number, users: readonly number[]): Steps<Stars> {
  const stars: Stars = new Map();
  for (let at = 0; at < users.length; at += portion) {
    for (const [user, ids] of starsOf(ctx, conversationId, users.slice(at, at + portion)))
      stars.set(user, ids);
    yield portion;
  }
  return stars;
}

/** What these users have starred in a conversation: as looked up before, for those whose stars have not changed since. */
export function starsNow(reads: Reads, conversationId: number, userIds: readonly number[]): Stars {
  const known = lookupsOf(reads).get(conversationId);
  const changed = known && starsChangedSince(reads, known.seen, conversationId);
  if (!changed) return starsOf(reads, conversationId, userIds);
  const isKnown = (id: number) => known.users.has(id) && !changed.has(id);
  const others = userIds.filter((id) => !isKnown(id));
  const stars = others.length === 0 ? new Map() : starsOf(reads, conversationId, others);
  for (const id of userIds) {
    const ids = isKnown(id) ? known.stars.get(id) : undefined;
    if (ids) stars.set(id, ids);
  }
  return stars;
}
