import { allow } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { waitsOf } from "@/foundation/retention/access.ts";
import { type Expiring, isShorter, type RetentionWaits, warningOf } from "@/foundation/retention/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import type { Candidate } from "@/messaging/message-rows/schema.ts";
import { listReached } from "@/messaging/receipts/reach.ts";
import { countLinks, linksIn } from "@/messaging/uploads/access.ts";
import { channelFor, sharesHistory, visibleChannels } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { asTopic, topicKey } from "@/places/topics/schema.ts";
import { findDirect, findNewestInTopic, findOldest } from "./store.ts";

const page = 1000;

export interface WishedRetention {
  /** Null for the organization: its direct messages, and the channels without a retention of their own. */
  channel_id: number | null;
  /** Negative for ever. */
  days: number;
}

export interface ChangedRetention {
  /** Null for the organization. */
  channel_id: number | null;
  /** The days to set; null for those of the organization. */
  days: number | null;
  /** Whether the owner does not want to wait. */
  now: boolean;
}

/** Counts what is older than a number of days, and would be deleted. */
export const countExpiring = query(
  allow.owner,
  async (ctx, { channel_id, days }: WishedRetention): Promise<Expiring> => {
    if (days < 1) return { messages: 0, files: 0, oldest: null };
    const until = ctx.now - days * 86_400;
    return runInSlices(
      channel_id === null
        ? countIn(ctx, conversationsOf(ctx), until)
        : countIn(ctx, [channelConversation(ctx, channelFor(ctx, channel_id, "administer").id)], until),
    );
  },
);

/** What deletes later than it is set to. */
export const listWaits = query(allow.owner, (ctx): RetentionWaits => waitsOf(ctx));

/** What a change of a retention would delete, and when, as a sentence before a question; null if nothing. */
export const warningBefore = query(
  allow.user,
  async (ctx, { channel_id, days, now }: ChangedRetention): Promise<string | null> => {
    const channel = channel_id === null ? null : channelFor(ctx, channel_id, "administer");
    const usual = realmSettings.read(ctx).message_retention_days;
    const after = days ?? usual;
    if (!now && !isShorter(after, channel?.message_retention_days ?? usual)) return null;
    const found = await countExpiring(ctx, { channel_id, days: after });
    return found.messages === 0
      ? null
      : warningOf(found, { place: channel?.name ?? "the organization", days: after, now });
  },
);

/** How many messages of a topic the actor can read, from an ID on; as many as `deleteTopic` deletes. */
export const countTopic = query(
  allow.user,
  (ctx, { channel_id, topic, from = 0 }: TopicPart): Promise<number> => {
    const channel = channelFor(ctx, channel_id, "read");
    const conversationId = channelConversation(ctx, channel.id);
    return runInSlices(countMessages(ctx, { conversationId, topic, from, readsAll: sharesHistory(channel) }));
  },
);

interface TopicPart {
  channel_id: number;
  topic: string;
  from?: number;
}

function* countMessages(
  ctx: Ctx,
  {
    conversationId,
    topic,
    from,
    readsAll,
  }: { conversationId: number; topic: string; from: number; readsAll: boolean },
): Task<number> {
  let count = 0;
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    const rows: Candidate[] = findNewestInTopic(ctx, {
      ...{ conversationId, topicKey: topicKey(asTopic(topic)), before, max: page },
    });
    const wanted = rows.filter(({ id }) => id >= from);
    count += readsAll
      ? wanted.length
      : (listReached(ctx, wanted, [ctx.actor.id]).get(ctx.actor.id)?.length ?? 0);
    before = wanted.length < page ? null : (rows.at(-1)?.id ?? null);
    yield rows.length + 1;
  }
  return count;
}

function* conversationsOf(ctx: Ctx): Generator<number> {
  for (const { id, message_retention_days: own } of visibleChannels(ctx)) {
    if (own === null) yield channelConversation(ctx, id);
  }
  for (let above: number | null = 0; above !== null; ) {
    const found: { id: number }[] = findDirect(ctx, { above, max: page });
    for (const { id } of found) yield id;
    above = found.length < page ? null : (found.at(-1)?.id ?? null);
  }
}

function* countIn(ctx: Ctx, conversations: Iterable<number>, until: number): Task<Expiring> {
  const links = new Map<number, number>();
  let messages = 0;
  let oldest: number | null = null;
  for (const conversationId of conversations) {
    for (let above: number | null = 0; above !== null; ) {
      const rows: { id: number; sent_at: number }[] = findOldest(ctx, {
        ...{ conversationId, until, above, max: page },
        movedSince: Number.MAX_SAFE_INTEGER,
      });
      const ids = rows.map(({ id }) => id);
      for (const file of linksIn(ctx, ids)) links.set(file, (links.get(file) ?? 0) + 1);
      messages += rows.length;
      const [first] = rows;
      if (first && (oldest === null || first.sent_at < oldest)) oldest = first.sent_at;
      above = rows.length < page ? null : (ids.at(-1) ?? null);
      yield rows.length + 1;
    }
  }
  let files = 0;
  const counted = [...links];
  for (let from = 0; from < counted.length; from += page) {
    const some = new Map(counted.slice(from, from + page));
    for (const { id, links: all } of countLinks(ctx, [...some.keys()])) if (some.get(id) === all) files++;
    yield some.size;
  }
  return { messages, files, oldest };
}
