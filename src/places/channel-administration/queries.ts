import { allow, me } from "@/foundation/permissions/access.ts";
import { findUserById, notificationBot } from "@/foundation/users/access.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { createListCache } from "@/kernel/lib/cached-lists.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { type JsonText, listOfOpen } from "@/kernel/lib/json-text.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import {
  channelFor,
  everyChannel,
  isAllowed,
  visibleChannelNamed,
  visibleChannels,
} from "@/places/channels/access.ts";
import { channelTexts, presentChannel, presentChannels, readSettled } from "@/places/channels/present.ts";
import { type Channel, type ChannelRow, knowsArchived } from "@/places/channels/schema.ts";
import { isDefaultChannel } from "@/places/default-channels/access.ts";
import { channelsOf, subscriberIds } from "@/places/subscriptions/access.ts";
import { sentence } from "@/text/language/tables.ts";

/** The sets of channels that `get-streams` returns the union of. */
interface ChannelSets {
  include_public: boolean;
  include_web_public: boolean;
  include_subscribed: boolean;
  include_all: boolean;
  include_can_access_content: boolean;
  include_owner_subscribed: boolean;
}

type SetTest = (ctx: Ctx, row: ChannelRow) => boolean;

/** For each set, whether a channel that the actor may see belongs to it. */
const sets: Record<Exclude<keyof ChannelSets, "include_owner_subscribed">, SetTest> = {
  include_public: (_, row) => row.invite_only === 0,
  include_web_public: (_, row) => row.is_web_public === 1,
  include_subscribed: (ctx, row) => channelsOf(ctx, ctx.actor.id).has(row.id),
  include_all: () => true,
  include_can_access_content: (ctx, row) => isAllowed(ctx, row, "read"),
};

const none: ReadonlySet<number> = new Set();

/** The subscriptions of a bot's owner. The bot gets these even if it may not see the channels itself. */
function ownerChannels(ctx: Ctx): ReadonlySet<number> {
  const { is_bot, bot_owner_id } = me(ctx);
  return is_bot && bot_owner_id !== null ? channelsOf(ctx, bot_owner_id) : none;
}

interface ChannelsWanted extends Partial<ChannelSets> {
  exclude_archived?: boolean;
  /** Adds `is_default` to each channel. */
  include_default?: boolean;
}

type ListedChannel = Channel & { is_default?: boolean };

function rowsFor(ctx: Ctx, input: ChannelsWanted): ChannelRow[] {
  const tests = Object.entries(sets).filter(([name]) => input[name as keyof ChannelSets]);
  const ofOwner = input.include_owner_subscribed ? ownerChannels(ctx) : none;
  const isWanted = (row: ChannelRow) =>
    ofOwner.has(row.id) || (isAllowed(ctx, row, "see") && tests.some(([, test]) => test(ctx, row)));
  return everyChannel(ctx).filter((row) => !(input.exclude_archived && row.is_archived) && isWanted(row));
}

function listVisible(ctx: Ctx, input: ChannelsWanted): ListedChannel[] {
  const shown = presentChannels(ctx, rowsFor(ctx, input));
  if (!input.include_default) return shown;
  return shown.map((row) => ({ ...row, is_default: isDefaultChannel(ctx, row.stream_id) }));
}

export const listChannels = query(allow.user, listVisible);

/** As `listChannels`, in slices. */
export const listChannelsInSlices = query(
  allow.user,
  (ctx, input: ChannelsWanted): Promise<ListedChannel[]> => runInSlices(listVisibleInSteps(ctx, input)),
);

function* listVisibleInSteps(ctx: Ctx, input: ChannelsWanted): Task<ListedChannel[]> {
  yield* readSettled(ctx, rowsFor(ctx, input));
  return listVisible(ctx, input);
}

export const getChannel = query(
  allow.user,
  (ctx, id: number): Channel => presentChannel(ctx, channelFor(ctx, id, "see")),
);

/**
 * The channel's email address for a sender: the actor, one of their bots, or the notification bot. Always empty, which
 * tells clients that the server does not receive email.
 */
export const channelAddress = query(
  allow.user,
  (ctx, { channel_id, sender_id }: { channel_id: number; sender_id?: number }): string => {
    channelFor(ctx, channel_id, "post");
    if (sender_id !== undefined && !isSenderOf(ctx, me(ctx).id, sender_id)) {
      fail("BAD_REQUEST", "sender_id must be yours, a bot's of yours or the notification bot's.");
    }
    return "";
  },
);

function isSenderOf(ctx: Ctx, ownId: number, senderId: number): boolean {
  return (
    senderId === ownId ||
    senderId === notificationBot(ctx).id ||
    findUserById(ctx, senderId)?.bot_owner_id === ownId
  );
}

export const getChannelId = query(allow.user, (ctx, name: string): number => {
  const row = visibleChannelNamed(ctx, name);
  return row
    ? row.id
    : fail("BAD_REQUEST", sentence("Invalid channel name ''{channel}''", { channel: name }));
});

/** IDs of the channel's subscribers, ascending. */
export const listSubscribers = query(allow.user, (ctx, id: number): number[] => {
  return [...subscriberIds(ctx, channelFor(ctx, id, "see").id)];
});

const listsKept = perApp(() => createListCache(8_000_000));

/** The `stream` section of the initial state. */
export function* channelsState(ctx: Ctx, request: StateRequest): Task<{ streams: JsonText | undefined }> {
  const rows = visibleChannels(ctx).filter((row) => !row.is_archived || knowsArchived(request));
  const texts = yield* channelTexts(ctx, rows);
  const [streams] = listsKept(ctx)(texts, () => [listOfOpen(texts)]);
  return { streams };
}
