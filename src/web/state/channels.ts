import type { channelCreated, channelDeleted, channelUpdated } from "@/places/channels/schema.ts";
import type { folderAdded, foldersReordered, folderUpdated } from "@/places/folders/schema.ts";
import type {
  peersAdded,
  Subscription,
  subscriptionsAdded,
  subscriptionsRemoved,
} from "@/places/subscriptions/schema.ts";
import { union, withEntry, without, withoutEntries } from "./records.ts";
import type { Channel, Payload, Reducers, State } from "./shape.ts";

const places = ["subscriptions", "unsubscribed", "never_subscribed"] as const;
const lists = ["streams", ...places] as const;

/** Applies a change to a channel and to the person's subscription. */
export function changeChannels(
  state: State,
  ids: readonly number[],
  change: (channel: Channel) => Partial<Subscription>,
): State {
  const after = { ...state };
  for (const name of lists) {
    const present = ids.filter((id) => id in state[name]);
    if (present.length === 0) continue;
    const entries = present.map((id) => {
      const channel = state[name][id] as Channel;
      return [id, { ...channel, ...change(channel) }];
    });
    Object.assign(after, { [name]: { ...state[name], ...Object.fromEntries(entries) } });
  }
  return after;
}

const peers =
  (isAdded: boolean) =>
  (state: State, { stream_ids, user_ids }: Payload<typeof peersAdded>): State => {
    // The person's own subscriptions come with other events.
    const others = without(user_ids, [state.self.user_id]).length;
    return changeChannels(state, stream_ids, ({ subscriber_count, subscribers }) => ({
      subscriber_count: subscriber_count + (isAdded ? others : -others),
      ...(subscribers && {
        subscribers: [...(isAdded ? union(subscribers, user_ids) : without(subscribers, user_ids))],
      }),
    }));
  };

export const channels: Reducers = {
  "stream/create": (state, { streams }: Payload<typeof channelCreated>) => ({
    ...state,
    streams: { ...state.streams, ...Object.fromEntries(streams.map((one) => [one.stream_id, one])) },
    // The subscribers of a new channel come with later events.
    never_subscribed: {
      ...state.never_subscribed,
      ...Object.fromEntries(streams.map((one) => [one.stream_id, { ...one, subscribers: [] }])),
    },
  }),
  "stream/delete": (state, { stream_ids }: Payload<typeof channelDeleted>) => ({
    ...state,
    streams: withoutEntries(state.streams, stream_ids),
    subscriptions: withoutEntries(state.subscriptions, stream_ids),
    unsubscribed: withoutEntries(state.unsubscribed, stream_ids),
    never_subscribed: withoutEntries(state.never_subscribed, stream_ids),
    unread: withoutEntries(
      state.unread,
      Object.entries(state.unread).flatMap(([key, { place }]) =>
        "stream_id" in place && stream_ids.includes(place.stream_id) ? [key] : [],
      ),
    ),
  }),
  "stream/update": (
    state,
    event: Payload<typeof channelUpdated>["change"] & { type: string; op: string; id?: number },
  ) => {
    const { stream_id, property, value, type, op, id, name, ...more } = event;
    return changeChannels(state, [stream_id], () => ({ [property]: value, ...more }));
  },
  "subscription/add": (state, { subscriptions }: Payload<typeof subscriptionsAdded>) => {
    const ids = subscriptions.map(({ stream_id }) => stream_id);
    const counted = changeChannels(
      { ...state, never_subscribed: {}, unsubscribed: {}, subscriptions: {} },
      ids,
      ({ stream_id }) => ({
        subscriber_count: subscriptions.find((one) => one.stream_id === stream_id)?.subscriber_count,
      }),
    );
    return {
      ...counted,
      unsubscribed: withoutEntries(state.unsubscribed, ids),
      never_subscribed: withoutEntries(state.never_subscribed, ids),
      subscriptions: {
        ...state.subscriptions,
        ...Object.fromEntries(subscriptions.map((one) => [one.stream_id, one])),
      },
    };
  },
  "subscription/remove": (state, { subscriptions }: Payload<typeof subscriptionsRemoved>) => {
    const ids = subscriptions.map(({ stream_id }) => stream_id);
    const counted = changeChannels(state, ids, ({ subscriber_count }) => ({
      subscriber_count: subscriber_count - 1,
    }));
    const left = ids.flatMap((id) => counted.subscriptions[id] ?? []);
    return {
      ...counted,
      subscriptions: withoutEntries(counted.subscriptions, ids),
      unsubscribed: {
        ...counted.unsubscribed,
        ...Object.fromEntries(left.map((one) => [one.stream_id, leftBy(one, state.self.user_id)])),
      },
    };
  },
  "subscription/update": (
    state,
    { stream_id, property, value }: { stream_id: number; property: string; value: unknown },
  ) => {
    const name = state.subscriptions[stream_id] ? "subscriptions" : "unsubscribed";
    const own = state[name][stream_id];
    return own
      ? { ...state, [name]: withEntry(state[name], stream_id, { ...own, [property]: value } as Subscription) }
      : state;
  },
  "subscription/peer_add": peers(true),
  "subscription/peer_remove": peers(false),
  "channel_folder/add": (state, { channel_folder }: Payload<typeof folderAdded>) => ({
    ...state,
    channel_folders: [...state.channel_folders, channel_folder],
  }),
  "channel_folder/update": (state, { channel_folder_id, data }: Payload<typeof folderUpdated>) => ({
    ...state,
    channel_folders: state.channel_folders.map((one) =>
      one.id === channel_folder_id ? { ...one, ...data } : one,
    ),
  }),
  "channel_folder/reorder": (state, { order }: Payload<typeof foldersReordered>) => ({
    ...state,
    channel_folders: state.channel_folders
      .map((one) => ({ ...one, order: order.indexOf(one.id) }))
      .sort((a, b) => a.order - b.order),
  }),
};

function leftBy(channel: Subscription, self: number): Subscription {
  const { subscribers } = channel;
  return subscribers ? { ...channel, subscribers: [...without(subscribers, [self])] } : channel;
}
