import { allow, me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import type { Ctx, StateRequest } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { query } from "@/kernel/operation.ts";
import { readableIn, selectionOf } from "@/messaging/message-pages/selection.ts";
import { messageFor, readableAmong } from "@/messaging/messages/access.ts";
import { mutedEitherWay } from "@/messaging/muted-users/access.ts";
import { narrowOf } from "@/messaging/narrows/narrow.ts";
import { mentionsOf, readersOfMessage, starredMessageIds } from "@/messaging/receipts/access.ts";
import type { Receipt } from "@/messaging/receipts/rows.ts";
import { unreadOf } from "@/messaging/receipts/unread.ts";
import { knownChannel } from "@/places/channels/access.ts";
import { knowsArchived } from "@/places/channels/schema.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import type { Conversation } from "@/places/conversations/rows.ts";
import { shownTopic, topicKey } from "@/places/topics/schema.ts";
import { visibilityOf } from "@/places/user-topics/access.ts";

const maxUnread = 50_000;

/** IDs of users who have read a message and share their read receipts, ascending. */
export const getReadReceipts = query(allow.user, (ctx, messageId: number): number[] => {
  if (!realmSettings.read(ctx).enable_read_receipts) {
    fail("BAD_REQUEST", "Read receipts are disabled in this organization.");
  }
  const active = usersUpTo(ctx, roles.guest);
  const readers = [...readersOfMessage(ctx, messageFor(ctx, messageId))];
  const hidden = mutedEitherWay(ctx, me(ctx).id);
  const sharesReceipts = (id: number) =>
    active.has(id) && !hidden.has(id) && settingOf(ctx, id, "send_read_receipts");
  return readers.filter(sharesReceipts).sort((a, b) => a - b);
});

/** IDs of the starred messages that the user may still read. Clients show their number and fetch them by ID. */
export function starredState(ctx: Ctx): { starred_messages: number[] } {
  const readable = readableAmong(ctx, starredMessageIds(ctx, me(ctx).id));
  return { starred_messages: readable.map((row) => row.id).sort((a, b) => a - b) };
}

/** `unread_msgs`, if the client asks for both event types that keep it current. */
export function unreadState(ctx: Ctx, request: StateRequest): Record<string, unknown> {
  const { fetched } = request;
  return fetched && !fetched.has("message") ? {} : { unread_msgs: unreadMessages(ctx, request) };
}

function unreadMessages(ctx: Ctx, request: StateRequest) {
  const user = me(ctx).id;
  const found = unreadOf(ctx, user, { max: maxUnread + 1 });
  const readable = found.slice(-maxUnread).filter(readableIn(selectionOf(ctx, narrowOf(ctx, []))));
  const all = groupsOf(ctx, user, readable);
  const told = knowsArchived(request)
    ? all
    : all.filter(({ place: { channel_id } }) => !isArchived(ctx, channel_id));
  const { byName, withAll } = mentionsOf(ctx, user);
  return {
    count: told.reduce((sum, { isMuted, receipts }) => (isMuted ? sum : sum + receipts.length), 0),
    ...listed(user, told, request.capabilities.has("empty_topic_name")),
    mentions: told
      .flatMap(({ isMuted, receipts }) => receipts.filter((one) => byName(one) || (!isMuted && withAll(one))))
      .map(({ id }) => id)
      .sort((a, b) => a - b),
    old_unreads_missing: found.length > maxUnread,
  };
}

const isArchived = (ctx: Ctx, channelId: number | null) =>
  channelId !== null && knownChannel(ctx, channelId).is_archived !== 0;

/** Messages of one topic, or of one direct conversation. */
interface Group {
  place: Conversation;
  topic: string;
  isMuted: boolean;
  receipts: Receipt[];
}

/** The groups in order of their first messages. What is asked per message is little, since there may be 50,000. */
function groupsOf(ctx: Ctx, user: number, receipts: readonly Receipt[]): Group[] {
  const groups: Group[] = [];
  const { isMuted } = visibilityOf(ctx, user);
  const byPlace = new Map<number, Map<string, Group>>();
  const opened = ({ conversation_id, topic }: Receipt): Group => {
    const place = conversation(ctx, conversation_id);
    const { channel_id } = place;
    const group = { place, topic, isMuted: channel_id !== null && isMuted(channel_id, topic), receipts: [] };
    groups.push(group);
    return group;
  };
  for (const receipt of receipts) {
    const { conversation_id, topic } = receipt;
    const byTopic = byPlace.get(conversation_id) ?? new Map<string, Group>();
    if (byTopic.size === 0) byPlace.set(conversation_id, byTopic);
    let group = byTopic.get(topic);
    if (!group) {
      // Topics that differ by case alone are one; the map knows each spelling, and the key, which may be one of them.
      const key = topicKey(topic);
      group = byTopic.get(key) ?? opened(receipt);
      byTopic.set(key, group).set(topic, group);
    }
    group.receipts.push(receipt);
  }
  return groups;
}

function listed(user: number, groups: readonly Group[], showsEmptyTopic: boolean) {
  const all = groups.map(({ place, topic, receipts }) => {
    return { place, people: participantsOf(place), topic, unread_message_ids: receipts.map(({ id }) => id) };
  });
  const other = (people: number[]) => people.find((id) => id !== user) ?? user;
  return {
    streams: all.flatMap(({ place: { channel_id: stream_id }, topic, unread_message_ids }) =>
      stream_id === null
        ? []
        : [{ stream_id, topic: shownTopic(topic, showsEmptyTopic), unread_message_ids }],
    ),
    pms: all
      .filter(({ people }) => people.length === 1 || people.length === 2)
      .map(({ people, unread_message_ids }) => {
        const other_user_id = other(people);
        return { other_user_id, sender_id: other_user_id, unread_message_ids };
      }),
    huddles: all
      .filter(({ people }) => people.length > 2)
      .map(({ people, unread_message_ids }) => ({ user_ids_string: people.join(","), unread_message_ids })),
  };
}
