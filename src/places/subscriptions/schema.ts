import { z } from "zod";
import type { InheritedNotifications } from "@/foundation/user-settings/schema.ts";
import { userId } from "@/foundation/users/schema.ts";
import { event, type Traits } from "@/kernel/core/events.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { wordingAfter, wordingOf } from "@/kernel/lib/wording.ts";
import {
  type Addressed,
  archiveVariant,
  channel,
  channelDescription,
  channelId,
  channelName,
  channelsFor,
  isAddressed,
  knowsArchived,
  newChannelTraits,
} from "@/places/channels/schema.ts";
import { sentence } from "@/text/language/tables.ts";

/** A color, stored as `#rrggbb`. The short form `#rgb` is expanded. */
const colorForm = "A color must be '#' and six hexadecimal digits, such as #76ce90.";

const color = z
  .string(colorForm)
  .trim()
  .regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, colorForm)
  .transform((text) => (text.length === 4 ? text.replaceAll(/[0-9a-f]/gi, "$&$&") : text).toLowerCase());

/** Default colors, in the order in which users get them. */
export const palette = [
  "#76ce90",
  "#fae589",
  "#a6c7e5",
  "#e79ab5",
  "#bfd56f",
  "#f4ae55",
  "#b0a5fd",
  "#addfe5",
  "#f5ce6e",
  "#c2726a",
  "#94c849",
  "#bd86e5",
  "#ee7e4a",
  "#a6dcbf",
  "#95a5fd",
  "#53a063",
  "#9987e1",
  "#e4523d",
  "#c2c2c2",
  "#4f8de4",
  "#c6a8ad",
  "#e7cc4d",
  "#c8bebf",
  "#a47462",
] as const;

/** A channel to subscribe to. The description is used only if the channel has to be created. */
const wantedChannel = z.object({
  name: channelName,
  description: channelDescription.optional(),
  color: color.optional(),
});

export type WantedChannel = z.infer<typeof wantedChannel>;

const maxWanted = 1000;

/** Limited, because each may have to be created. */
const wantedChannels = z
  .array(wantedChannel)
  .max(maxWanted, `You can subscribe to at most ${maxWanted} channels at once.`);

export const channelNames = z
  .array(z.string())
  .max(maxWanted, `You can unsubscribe from at most ${maxWanted} channels at once.`);

/** Users by ID or by email address. Existing clients send an empty list to mean the caller. */
export const principals = z
  .union(
    [z.array(z.int()), z.array(z.string().trim())],
    "principals must be a list of user IDs or of email addresses.",
  )
  .transform((people) => (people.length > 0 ? people : undefined));

export type Principals = NonNullable<z.infer<typeof principals>>;

/** Channels by name or ID, and users by ID or address. Without users, the actor. */
export const membership = z
  .object({ names: channelNames, channel_ids: z.array(channelId), user_ids: principals })
  .partial();

export type Membership = z.infer<typeof membership>;

export const newSubscriptions = z.object({
  subscriptions: wantedChannels,
  principals: principals.optional(),
  /** If false, the channels that refuse are skipped and returned in `unauthorized`. */
  authorization_errors_fatal: z.boolean().default(true),
  /** Sends a notice to each other user who is subscribed to an existing channel. */
  send_new_subscription_messages: z.boolean().default(true),
  ...newChannelTraits.shape,
});

export type NewSubscriptions = z.infer<typeof newSubscriptions>;

export const subscriptionsPatch = z.object({ add: wantedChannels, delete: channelNames }).partial();

export type SubscriptionsPatch = z.infer<typeof subscriptionsPatch>;

const inheritable = z.boolean().nullable();

/** A subscriber's personal settings for a channel. */
const personal = z.object({
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: inheritable,
  audible_notifications: inheritable,
  push_notifications: inheritable,
  email_notifications: inheritable,
  wildcard_mentions_notify: inheritable,
});

export type Personal = z.infer<typeof personal>;

/** A channel together with its subscriber's personal settings. */
export const subscription = z.object({
  ...channel.shape,
  ...personal.shape,
  subscribers: z.array(userId).optional(),
  partial_subscribers: z.array(userId).optional(),
  /** Only for clients that expect old fields: empty, because this server receives no mail. */
  email_address: z.string().optional(),
});

export type Subscription = z.infer<typeof subscription>;

/** Which subscriber lists a client wants. */
export const includeSubscribers = z.enum(["true", "false", "partial"]);

export type IncludeSubscribers = z.infer<typeof includeSubscribers>;

/** Clients that do not support inherited settings (null) get the effective value. */
export function withNotifications<T extends Personal>(
  shown: T,
  queue: Pick<Traits, "capabilities">,
  inherited: InheritedNotifications,
): T {
  if (queue.capabilities.has("notification_settings_null")) return shown;
  const names = Object.keys(inherited) as (keyof InheritedNotifications)[];
  const resolved = names.map((name) => [name, shown[name] ?? inherited[name]]);
  return { ...shown, ...Object.fromEntries(resolved) };
}

/** What clients that expect old fields get besides. */
export function oldFields({ options }: Pick<Traits, "options">): Pick<Subscription, "email_address"> {
  return options.expects_old_fields ? { email_address: "" } : {};
}

export function parseWantedSubscribers({ options }: Pick<Traits, "options">): IncludeSubscribers {
  const wanted = includeSubscribers.safeParse(options.include_subscribers);
  return wanted.success ? wanted.data : "false";
}

interface Added extends Addressed {
  subscriptions: Subscription[];
  /** The recipients' settings for all channels. */
  inherited: InheritedNotifications;
}

export const subscriptionsAdded = event("subscription", {
  about: "The user was subscribed to channels.",
  op: "add",
  schema: z.object({ subscriptions: z.array(subscription) }),
  variant: (queue) =>
    [
      parseWantedSubscribers(queue),
      queue.capabilities.has("notification_settings_null"),
      archiveVariant(queue),
      queue.options.expects_old_fields,
    ].join(),
  shape: ({ subscriptions, inherited, only }: Added, queue) => {
    if (!isAddressed({ only }, queue)) return null;
    return {
      subscriptions: subscriptions.map((shown) => ({
        ...withNotifications(listing(shown, parseWantedSubscribers(queue)), queue, inherited),
        ...oldFields(queue),
      })),
    };
  },
});

/** Keeps the requested one of the two subscriber lists. Short lists have no partial one. */
function listing(
  { subscribers, partial_subscribers, ...shown }: Subscription,
  wanted: IncludeSubscribers,
): Subscription {
  if (wanted === "false") return shown;
  return wanted === "partial" && partial_subscribers
    ? { ...shown, partial_subscribers }
    : { ...shown, subscribers };
}

interface Removed {
  subscriptions: { stream_id: number; name: string }[];
  /** Those of these channels that are archived. */
  archived: readonly number[];
}

export const subscriptionsRemoved = event("subscription", {
  about: "The user was unsubscribed from channels.",
  op: "remove",
  schema: z.object({ subscriptions: z.array(z.object({ stream_id: channelId, name: z.string() })) }),
  variant: archiveVariant,
  shape: ({ subscriptions: all, archived }: Removed, queue) => {
    const isShown = (id: number) => knowsArchived(queue) || !archived.includes(id);
    const subscriptions = all.filter(({ stream_id }) => isShown(stream_id));
    return subscriptions.length > 0 ? { subscriptions } : null;
  },
});

interface Peers {
  stream_ids: number[];
  /** Those of these channels that are archived, if any. */
  archived?: readonly number[];
  user_ids: number[];
}

/** What the queue's client gets of it, or null for nothing. */
function presentPeers({ stream_ids: all, archived = [], user_ids }: Peers, queue: Traits) {
  const stream_ids = channelsFor(all, archived, queue);
  return stream_ids.length > 0 ? { stream_ids, user_ids } : null;
}

const peers = z.object({ stream_ids: z.array(channelId), user_ids: z.array(userId) });

export const peersAdded = event("subscription", {
  about: "Other users were subscribed to channels. Those users get `subscription`, `add` instead.",
  op: "peer_add",
  schema: peers,
  variant: archiveVariant,
  shape: ({ only, ...peers }: Peers & Addressed, queue) =>
    isAddressed({ only }, queue) ? presentPeers(peers, queue) : null,
});

export const peersRemoved = event("subscription", {
  about: "Other users were unsubscribed from channels.",
  op: "peer_remove",
  schema: peers,
  variant: archiveVariant,
  shape: presentPeers,
});

interface SubscriptionChange {
  change: { stream_id: number; property: string; value: boolean | string };
  is_archived: boolean;
}

export const subscriptionChanged = event("subscription", {
  about: "One of the user's settings for a channel has changed.",
  op: "update",
  schema: z.object({
    stream_id: channelId,
    property: z.string(),
    value: z.union([z.boolean(), z.string()]),
  }),
  variant: archiveVariant,
  shape: ({ change, is_archived }: SubscriptionChange, queue) =>
    is_archived && !knowsArchived(queue) ? null : change,
});

const flag = z.boolean("The value must be true or false.");

const choices = {
  color,
  is_muted: flag,
  pin_to_top: flag,
  desktop_notifications: flag,
  audible_notifications: flag,
  push_notifications: flag,
  email_notifications: flag,
  wildcard_mentions_notify: flag,
};

/** A change as the client sent it. */
export const personalChange = z.object({ stream_id: channelId, property: z.string(), value: z.unknown() });

export type PersonalChange = z.infer<typeof personalChange>;

/** The change to store. `in_home_view` is the older opposite of `is_muted`. */
export function readChange({ property, value }: PersonalChange): {
  property: keyof typeof choices;
  value: boolean | string;
} {
  const isOpposite = property === "in_home_view";
  const name = isOpposite ? "is_muted" : property;
  if (!isChoice(name))
    fail("BAD_REQUEST", sentence("Unknown subscription property: {property}", { property }));
  const parsed = choices[name].safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (!issue) fail("BAD_REQUEST", "The request is not valid.");
    const inEnglish = wordingAfter(`Property '${property}'`, issue);
    const { isSentence, text, of } = wordingOf(issue);
    if (!isSentence) fail("BAD_REQUEST", of(property, inEnglish));
    // The languages know the sentences of these rules with the property before them.
    fail("BAD_REQUEST", { inEnglish, text: `Property ''{property}'': ${text}`, values: { property } });
  }
  return { property: name, value: isOpposite ? !parsed.data : parsed.data };
}

function isChoice(name: string): name is keyof typeof choices {
  return Object.hasOwn(choices, name);
}

/** How many users join a channel in one transaction. */
export const peopleAtOnce = 500;

/** What follows for so few channels is prepared before a change for very many users. */
export const maxPrepared = 2;
