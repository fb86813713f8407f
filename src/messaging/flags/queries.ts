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
  const channelOf = ({ conversation_id }: Receipt) => conversation(ctx, conversation_id).channel_id;
  const isTold = (receipt: Receipt) => {
    const channelId = channelOf(receipt);
    return channelId === null || !knownChannel(ctx, channelId).is_archived;
  };
  const found = unreadOf(ctx, user, { max: maxUnread + 1 });
  const readable = found.slice(-maxUnread).filter(readableIn(selectionOf(ctx, narrowOf(ctx, []))));
  const receipts = knowsArchived(request) ? readable : readable.filter(isTold);
  const { isMuted: isMutedTopic } = visibilityOf(ctx, user);
  const isMuted = (receipt: Receipt) => {
    const channelId = channelOf(receipt);
    return channelId !== null && isMutedTopic(channelId, receipt.topic);
  };
  const mentions = mentionsOf(ctx, user);
  return {
    count: receipts.filter((receipt) => !isMuted(receipt)).length,
    ...grouped(ctx, user, receipts, request.capabilities.has("empty_topic_name")),
    mentions: receipts
      .filter((receipt) => mentions.byName(receipt) || (mentions.withAll(receipt) && !isMuted(receipt)))
      .map((receipt) => receipt.id),
    old_unreads_missing: found.length > maxUnread,
  };
}

interface Group {
  first: Receipt;
  ids: number[];
}

function grouped(ctx: Ctx, user: number, receipts: readonly Receipt[], showsEmptyTopic: boolean) {
  const groups = new Map<string, Group>();
  for (const receipt of receipts) {
    const key = `${receipt.conversation_id}:${topicKey(receipt.topic)}`;
    const group = groups.get(key);
    if (group) group.ids.push(receipt.id);
    else groups.set(key, { first: receipt, ids: [receipt.id] });
  }
  const all = [...groups.values()].map(({ first, ids: unread_message_ids }) => {
    const place = conversation(ctx, first.conversation_id);
    return { place, people: participantsOf(place), topic: first.topic, unread_message_ids };
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
