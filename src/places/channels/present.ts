import { presentGrants } from "@/foundation/permissions/access.ts";
import { findGrantedSuperset } from "@/foundation/permissions/grants.ts";
import type { SystemGroupName } from "@/foundation/permissions/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { cache, declareCache, loadUnmixed, tablesVersion } from "@/kernel/store/cache.ts";
import { subscriberCounts, subscriberIds } from "@/places/subscriptions/access.ts";
import { channelHooks } from "./hooks.ts";
import { type Channel, type ChannelRow, postPolicies } from "./schema.ts";
import { findChannel } from "./store.ts";

export function presentChannel(reads: Reads, row: ChannelRow): Channel {
  return presentWith(reads, row, subscriberIds(reads, row.id).size);
}

/** As `presentChannel`, without subscribers: the events that follow add them, and clients would count them twice. */
export function presentEmpty(reads: Reads, row: ChannelRow): Channel {
  return presentWith(reads, row, 0);
}

export function presentChannels(reads: Reads, rows: readonly ChannelRow[]): Channel[] {
  const counts = subscriberCounts(reads);
  const firsts = firstMessages(reads, rows);
  return rows.map(({ id }) => ({
    ...settled(reads, id),
    first_message_id: firsts.get(id) ?? null,
    subscriber_count: counts.get(id) ?? 0,
  }));
}

/** Reads most of what `presentChannels` needs, and keeps it in memory. What changes meanwhile is read again. */
export function* readSettled(
  reads: Reads,
  rows: readonly ChannelRow[],
  read: (reads: Reads, id: number) => unknown = settled,
): Task<void> {
  yield* loadUnmixed(
    () => settledVersion(reads),
    function* () {
      for (let at = 0; at < rows.length; at += portion) {
        for (const { id } of rows.slice(at, at + portion)) if (findChannel(reads, id)) read(reads, id);
        yield portion;
      }
    },
  );
}

interface Counted {
  first: number | null;
  subscribers: number;
  base: string;
  text: Uint8Array;
}

/** By channel, until what it was made of is another. */
const textCache = declareCache<number, Counted>({ name: "texts of channels", max: 10_000 });

/** Channels whose texts are made in one step. */
const portion = 50;

/** As `presentChannels`, each as JSON without the last brace. As long as a channel does not change, the bytes are the same object. */
export function* channelTexts(reads: Reads, rows: readonly ChannelRow[]): Task<Uint8Array[]> {
  const known = textCache(reads);
  const unknown = rows.filter(({ id }) => !known.get(id));
  for (let at = 0; at < unknown.length; at += portion) {
    firstMessages(reads, unknown.slice(at, at + portion));
    yield portion;
  }
  yield* readSettled(reads, rows, settledText);
  // What the steps have read is known now, or has changed meanwhile.
  const counts = subscriberCounts(reads);
  const firsts = firstMessages(reads, rows);
  return rows.map(({ id }) => {
    const base = settledText(reads, id);
    const [first, subscribers] = [firsts.get(id) ?? null, counts.get(id) ?? 0];
    const last = known.get(id);
    if (last?.base === base && last.first === first && last.subscribers === subscribers) return last.text;
    const text = Buffer.from(`${base},"first_message_id":${first},"subscriber_count":${subscribers}`);
    known.set(id, { first, subscribers, base, text });
    return text;
  });
}

function presentWith(reads: Reads, row: ChannelRow, subscriber_count: number): Channel {
  const first_message_id = firstMessages(reads, [row]).get(row.id) ?? null;
  return { ...settled(reads, row.id), first_message_id, subscriber_count };
}

function firstMessages(reads: Reads, rows: readonly ChannelRow[]): ReadonlyMap<number, number> {
  return channelHooks.firstMessagesOf(
    reads,
    rows.map(({ id }) => id),
  );
}

type Settled = Omit<Channel, "first_message_id" | "subscriber_count">;

const settledTables = ["channels", "grants", "user_groups", "group_members", "group_subgroups", "users"];

const settledVersion = tablesVersion(settledTables);

/** A channel without what changes with every message or subscriber. */
const settled = cache(settledTables, (reads, id: number): Settled => {
  const row = findChannel(reads, id) as ChannelRow;
  const policy = postPolicy(reads, id);
  return {
    stream_id: row.id,
    name: row.name,
    is_archived: row.is_archived === 1,
    description: row.description,
    rendered_description: row.rendered_description,
    date_created: row.date_created,
    creator_id: row.creator_id,
    invite_only: row.invite_only === 1,
    is_web_public: row.is_web_public === 1,
    history_public_to_subscribers: row.history_public_to_subscribers === 1,
    stream_post_policy: policy,
    is_announcement_only: policy === postPolicies.admins,
    message_retention_days: row.message_retention_days,
    folder_id: row.folder_id,
    topics_policy: row.topics_policy,
    is_recently_active: row.is_recently_active === 1,
    stream_weekly_traffic: row.stream_weekly_traffic,
    ...presentGrants(reads, "channel", id),
  };
});

const settledText = cache(settledTables, (reads, id: number): string =>
  JSON.stringify(settled(reads, id)).slice(0, -1),
);

const policyOfGroup: Partial<Record<SystemGroupName, number>> = {
  "role:nobody": postPolicies.admins,
  "role:owners": postPolicies.admins,
  "role:administrators": postPolicies.admins,
  "role:moderators": postPolicies.moderators,
  "role:fullmembers": postPolicies.fullMembers,
};

/** The strictest old policy that does not exclude anyone who may post. */
function postPolicy(reads: Reads, channelId: number): number {
  const group = findGrantedSuperset(reads, "channel", channelId, "can_send_message_group");
  return policyOfGroup[group] ?? postPolicies.anyone;
}
