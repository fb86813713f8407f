// What several views compute from the state.
import type { BotConfiguration } from "@/outside/bots/schema.ts";
import type { Subscription } from "@/places/subscriptions/schema.ts";
import { listNames, t } from "../lib/texts.ts";
import type { Channel } from "./channels.ts";
import { markColor } from "./mark-color.ts";
import { operandOf, type Term } from "./narrows.ts";
import type { Person } from "./people.ts";
import type { Place } from "./places.ts";
import type { State } from "./state.ts";
import { isMuted, visibility, visibilityOf } from "./topics.ts";

export function channelOf(state: State, id: number): Channel | Subscription | undefined {
  return state.subscriptions[id] ?? state.unsubscribed[id] ?? state.never_subscribed[id] ?? state.streams[id];
}

/** The colour that the person gave the channel; grey without a subscription. */
export function colorOf(state: State, channelId: number): string | undefined {
  return markColor((state.subscriptions[channelId] ?? state.unsubscribed[channelId])?.color);
}

export function nameOf(state: State, userId: number): string {
  return state.users[userId]?.full_name ?? t("Unknown person");
}

/** "Mel, Max", or the person's own name for the conversation with themselves. */
export function namesOf(state: State, userIds: readonly number[]): string {
  const [only] = userIds;
  if (userIds.length === 1 && only === state.self.user_id)
    return t("{name} (you)", { name: nameOf(state, only) });
  return listNames(userIds.map((id) => nameOf(state, id)));
}

export function topicName(topic: string): string {
  return topic === "" ? t("general chat") : topic;
}

export function placeName(state: State, place: Place): string {
  if ("user_ids" in place) return namesOf(state, place.user_ids);
  return topicTitle(state, place.stream_id, place.topic);
}

function channelTitle(state: State, id: number): string {
  return `#${channelOf(state, id)?.name ?? t("unknown channel")}`;
}

function topicTitle(state: State, channelId: number, topic: string): string {
  return t("{channel} › {topic}", {
    channel: channelTitle(state, channelId),
    topic: topicName(topic),
  });
}

export interface UnreadCount {
  unread: number;
  mentions: number;
}

const nothing: UnreadCount = { unread: 0, mentions: 0 };

let counted: { parts: readonly unknown[]; counts: ReadonlyMap<number, UnreadCount> } | null = null;

/** Unread messages by channel; without those of muted topics, unless the channel itself is muted. */
export function channelCounts(state: State): ReadonlyMap<number, UnreadCount> {
  const parts = [state.unread, state.user_topics, state.subscriptions];
  if (counted?.parts.every((part, i) => part === parts[i])) return counted.counts;
  const counts = new Map<number, UnreadCount>();
  for (const { place, ids, mentions } of Object.values(state.unread)) {
    if ("user_ids" in place) continue;
    const isQuiet = state.subscriptions[place.stream_id]?.is_muted === true;
    if (!isQuiet && isMuted(state, place)) continue;
    const { unread, mentions: named } = counts.get(place.stream_id) ?? nothing;
    counts.set(place.stream_id, { unread: unread + ids.length, mentions: named + mentions.length });
  }
  counted = { parts, counts };
  return counts;
}

/** A bot that the person may change. */
export interface OwnedBot extends BotConfiguration {
  full_name: string;
  email: string;
  avatar_url: string | null;
  bot_type: number | null;
  owner_id: number | null;
  is_active: boolean;
}

let joined: { parts: readonly unknown[]; bots: Readonly<Record<string, OwnedBot>> } | null = null;

/** The bots that the person may change, by ID: what they are set to, and what is known of them as users. */
export function botsIn(state: State): Readonly<Record<string, OwnedBot>> {
  const parts = [state.organization.realm_bots, state.users];
  if (joined?.parts.every((part, i) => part === parts[i])) return joined.bots;
  const entries = Object.values(state.organization.realm_bots ?? {}).flatMap((bot) => {
    const person = state.users[bot.user_id];
    if (!person) return [];
    const { full_name, email, avatar_url, bot_type, bot_owner_id: owner_id, is_active } = person;
    return [[bot.user_id, { ...bot, full_name, email, avatar_url, bot_type, owner_id, is_active }]];
  });
  joined = { parts, bots: Object.fromEntries(entries) };
  return joined.bots;
}

/** The number that the title and the icon show, by the person's settings. */
export function iconCount(state: State): number {
  const choice = state.user_settings.desktop_icon_count_display;
  if (choice === 4) return 0;
  const shown = Object.values(state.unread).filter(({ place }) => !isMuted(state, place));
  return shown.reduce((total, { place, ids, mentions }) => {
    if (choice === 1 || "user_ids" in place) return total + ids.length;
    const isFollowed = visibilityOf(state, place.stream_id, place.topic) === visibility.followed;
    return total + (choice === 2 && isFollowed ? ids.length : mentions.length);
  }, 0);
}

/** A narrow's name, as its view's title. */
export function titleOf(state: State, terms: readonly Term[]): string {
  const of = (operator: string) => operandOf(terms, operator);
  const dm = of("dm");
  const channel = of("channel");
  const topic = of("topic");
  if (dm !== undefined) return namesOf(state, dm.split(",").map(Number));
  if (channel !== undefined) {
    const id = Number(channel);
    return topic === undefined ? channelTitle(state, id) : topicTitle(state, id, topic);
  }
  if (of("is") === "mentioned") return t("Mentions");
  if (of("is") === "starred") return t("Starred");
  if (of("is") === "dm") return t("Direct messages");
  if (of("in") === "home") return t("Combined feed");
  return terms.length > 0 ? t("Search") : t("Messages");
}

export type Here = "active" | "idle" | "offline";

/** Whether a user is online; `now` is the server's time in Unix seconds. */
export function presenceOf(
  state: Pick<State, "self" | "users" | "presences" | "organization">,
  userId: number,
  now: number,
): Here {
  if (userId === state.self.user_id) return "active";
  const person = state.users[userId];
  if (!person?.is_active || person.is_bot) return "offline";
  const { active_timestamp = 0, idle_timestamp = 0 } = state.presences[userId] ?? {};
  const limit = now - state.organization.server_presence_offline_threshold_seconds;
  if (active_timestamp > limit) return "active";
  return idle_timestamp > limit ? "idle" : "offline";
}

export function activePeople(state: State): Person[] {
  return Object.values(state.users).filter((person) => person.is_active);
}
