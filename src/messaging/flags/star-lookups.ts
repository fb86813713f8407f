// Looks up in slices what people have starred in a channel, before a transaction that changes who may read it: in front of ten
// thousand clients, that takes a tenth of a second.
import { usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { interner } from "@/kernel/lib/interning.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { type StarsSeen, seeStars, starsChangedSince } from "@/messaging/invalidation/access.ts";
import { starsOf } from "@/messaging/receipts/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";

/** By user, the IDs of starred messages, ascending; equal lists are the same object. Users without any are missing. */
type Stars = Map<number, readonly number[]>;

interface Lookup {
  seen: StarsSeen;
  users: ReadonlySet<number>;
  stars: Stars;
  /** Of these lists. */
  same: ReturnType<typeof interner<number>>;
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
  const same = interner<number>();
  const stars: Stars = new Map();
  await runInSlices(addStars(ctx, conversationId, { users, stars, same }));
  const lookup = { seen, users: new Set(users), stars, same };
  const lookups = lookupsOf(ctx);
  lookups.set(conversationId, lookup);
  return () => {
    if (lookups.get(conversationId) === lookup) lookups.delete(conversationId);
  };
}

function* addStars(
  reads: Reads,
  conversationId: number,
  { users, stars, same }: { users: readonly number[]; stars: Stars; same: Lookup["same"] },
): Task<void> {
  for (let at = 0; at < users.length; at += portion) {
    for (const [user, ids] of starsOf(reads, conversationId, users.slice(at, at + portion)))
      stars.set(user, same(ids));
    yield portion;
  }
}

/** What these users have starred in a conversation: as looked up before, for those whose stars have not changed since. */
export function starsNow(reads: Reads, conversationId: number, userIds: readonly number[]): Stars {
  const known = lookupsOf(reads).get(conversationId);
  const changed = known ? starsChangedSince(reads, known.seen, conversationId) : null;
  const stars: Stars = new Map();
  const others: number[] = [];
  for (const id of userIds) {
    if (!known || !changed || !known.users.has(id) || changed.has(id)) others.push(id);
    else {
      const ids = known.stars.get(id);
      if (ids) stars.set(id, ids);
    }
  }
  if (others.length === 0) return stars;
  const same = known?.same ?? interner<number>();
  for (const [id, ids] of starsOf(reads, conversationId, others)) stars.set(id, same(ids));
  return stars;
}
