import { allow, viewer } from "@/foundation/permissions/access.ts";
import { notificationsOf } from "@/foundation/user-settings/access.ts";
import type { InheritedNotifications } from "@/foundation/user-settings/schema.ts";
import { knownUser } from "@/foundation/users/access.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { type JsonText, OpenList } from "@/kernel/lib/json-text.ts";
import { keptLists } from "@/kernel/lib/kept-lists.ts";
import { atOnce, inTurns, type Steps } from "@/kernel/lib/steps.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { channelFor, isAllowed, refusalOf, visibleChannels } from "@/places/channels/access.ts";
import { channelTexts, presentChannels, readSettled } from "@/places/channels/present.ts";
import { type ChannelRow, knowsArchived } from "@/places/channels/schema.ts";
import { isSubscribed } from "./access.ts";
import { presentPersonal, presentSubscription, subscriberLists, withSubscribers } from "./present.ts";
import {
  type IncludeSubscribers,
  oldFields,
  type Subscription,
  wantedSubscribers,
  withNotifications,
} from "./schema.ts";
import type { PersonalRow } from "./store.ts";
import * as store from "./store.ts";

/** Why the actor may not subscribe others to a channel; null if they may. */
export const refusalToSubscribe = query(allow.user, (ctx, channelId: number): string | null => {
  const channel = channelFor(ctx, channelId, "see");
  return isAllowed(ctx, channel, "subscribeOthers") ? null : refusalOf("subscribeOthers", channel.name);
});

/** The actor's subscriptions to active channels that they may see. */
export const listSubscriptions = query(
  allow.user,
  (ctx, { include_subscribers }: { include_subscribers: IncludeSubscribers }): Promise<Subscription[]> =>
    inTurns(subscriptionsOf(ctx, include_subscribers)),
);

function* subscriptionsOf(ctx: Ctx, wanted: IncludeSubscribers): Steps<Subscription[]> {
  const read = () => {
    const found = store.listOfUser(ctx, viewer(ctx).id).filter((row) => row.is_subscribed);
    const rows = new Map(found.map((row) => [row.channel_id, row]));
    return {
      rows,
      channels: visibleChannels(ctx).filter(({ id, is_archived }) => !is_archived && rows.has(id)),
    };
  };
  yield* readSettled(ctx, read().channels);
  const { rows, channels } = read();
  return presentChannels(ctx, channels).map((channel) => {
    const row = rows.get(channel.stream_id) as PersonalRow;
    return withSubscribers(ctx, presentSubscription(channel, row), wanted);
  });
}

export const isUserSubscribed = query(
  allow.user,
  (ctx, input: { user_id: number; channel_id: number }): boolean => {
    const user = knownUser(ctx, input.user_id);
    return isSubscribed(ctx, channelFor(ctx, input.channel_id, "see").id, user.id);
  },
);

const listNames = ["subscriptions", "unsubscribed", "never_subscribed"] as const;
const listsKept = perApp(() => keptLists(16_000_000));
/** Channels handled in one step. */
const portion = 20;

/** The `subscription` section of the initial state. */
export function* subscriptionsState(
  ctx: Ctx,
  request: StateRequest,
): Steps<Record<string, JsonText | undefined>> {
  const channels = visibleChannels(ctx).filter((row) => !row.is_archived || knowsArchived(request));
  const texts = yield* channelTexts(ctx, channels);
  const user = viewer(ctx).id;
  const rows = store.keptOfUser(ctx, user);
  const wanted = wantedSubscribers(request);
  const resolved = request.capabilities.has("notification_settings_null")
    ? null
    : JSON.stringify(notificationsOf(ctx, user));
  function* make(): Steps<JsonText[]> {
    const lists = {
      subscriptions: new OpenList(),
      unsubscribed: new OpenList(),
      never_subscribed: new OpenList(),
    };
    const personalOf = personalTexts(request, notificationsOf(ctx, user));
    const old = membersOf(oldFields(request));
    for (let i = 0; i < channels.length; i++) {
      // With subscribers, lists may be long.
      if (wanted !== "false" && i % portion === 0) yield portion;
      const { id } = channels[i] as ChannelRow;
      const row = rows.get(id);
      const name = row ? (row.is_subscribed ? "subscriptions" : "unsubscribed") : "never_subscribed";
      const list = lists[name];
      list.next(texts[i] as Uint8Array);
      if (row) list.add(personalOf(row));
      if (old.length > 0) list.add(old);
      if (wanted !== "false") list.add(membersOf(subscriberLists(ctx, id, wanted)));
    }
    return listNames.map((name) => lists[name].end());
  }
  // Which subscribers are active changes with every poll.
  const parts = [...texts, rows, resolved, request.options.expects_old_fields];
  const made = wanted === "false" ? listsKept(ctx)(parts, () => atOnce(make())) : yield* make();
  return Object.fromEntries(listNames.map((name, i) => [name, made[i]]));
}

/** A function for a row's members of a subscription. Most rows of a person are alike, so each text is made once. */
function personalTexts(
  request: StateRequest,
  inherited: InheritedNotifications,
): (row: PersonalRow) => Uint8Array {
  const made = new Map<string, Uint8Array>();
  return (row) => {
    const key =
      `${row.color} ${row.is_muted} ${row.pin_to_top} ${row.desktop_notifications} ${row.audible_notifications} ` +
      `${row.push_notifications} ${row.email_notifications} ${row.wildcard_mentions_notify}`;
    let text = made.get(key);
    if (text === undefined) {
      text = membersOf(withNotifications(presentPersonal(row), request, inherited));
      made.set(key, text);
    }
    return text;
  };
}

/** Members of a JSON object, to be added to others. */
function membersOf(given: object): Uint8Array {
  const text = JSON.stringify(given).slice(1, -1);
  return Buffer.from(text === "" ? "" : `,${text}`);
}
