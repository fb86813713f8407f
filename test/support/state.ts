// The initial state, updated by events with the web client's own reducers, in a comparable form.
import { afterEvents as applied, eventKey, isKnown, type State, stateFrom } from "@/web/state/state.ts";
import { unreadTotal } from "@/web/state/unread.ts";
import type { Json } from "./requests.ts";

/** Parts of the state that a client does not update from events. */
const aside = [
  "queue_id",
  "last_event_id",
  // Contains the time of the request.
  "server_timestamp",
  "presence_last_update_id",
  // In the language that the reader had then: a client that changes it registers again.
  "server_report_message_types",
  // Only in the event.
  "realm_rendered_description",
  // Of phones.
  "devices",
  // The older form of `user_topics`, for clients that do not know these.
  "muted_topics",
  // Clients compute them from permission settings and groups.
  "can_create_private_streams",
  "can_create_public_streams",
  "can_create_streams",
  "can_create_web_public_streams",
  "can_invite_others_to_realm",
  // Old forms of settings and policies, for which events carry only the new form.
  "jitsi_server_url",
  "realm_allow_edit_history",
  "realm_create_private_stream_policy",
  "realm_create_public_stream_policy",
  "realm_create_web_public_stream_policy",
  "realm_wildcard_mention_policy",
];

const places = ["subscriptions", "unsubscribed", "never_subscribed"] as const;

const inherited = [
  "audible_notifications",
  "desktop_notifications",
  "email_notifications",
  "push_notifications",
  "wildcard_mentions_notify",
];

/** For clients whose settings are at the top level of the state. */
const isOlder = (held: Json) => "enable_sounds" in held.organization;

/** The state as the client stores it, without the parts that it does not keep current, and with computed ones. */
export function heldState(answer: Json): Json {
  return shown(stateFrom(structuredClone(answer)), answer.unread_msgs.count);
}

/** Like `heldState`, after these events; throws if one of them is unknown. */
export function afterEvents(answer: Json, events: readonly Json[]): Json {
  let state = stateFrom(structuredClone(answer));
  const deleted: number[] = [];
  for (const event of events) {
    const key = eventKey(event);
    if (!isKnown(event) && !(key in olderForms))
      throw new Error(`No reducer in src/web/state handles ${key}.`);
    // A client must then ask for the message that is newest now.
    if (event.type === "delete_message") deleted.push(...(event.message_ids ?? [event.message_id]));
    state = frozen(applied(state, [event]));
    state = olderForms[key]?.(state, event) ?? state;
  }
  return { ...shown(state, unreadTotal(state)), ...(deleted.length > 0 ? { deleted } : {}) };
}

/** Freezes the state: a reducer that modified its input would hide the change from the views. */
function frozen(state: State): State {
  for (const part of Object.values(state)) Object.freeze(part);
  return Object.freeze(state);
}

/** What only clients that lack the web client's capabilities are told. */
const olderForms: Record<string, (state: State, event: Json) => State> = {
  update_display_settings: (state, { setting_name, setting }) => withSetting(state, setting_name, setting),
  update_global_notifications: (state, { notification_name, setting }) =>
    withSetting(state, notification_name, setting),
  // For an older client, an archived channel no longer exists.
  "stream/delete": (state, { stream_ids }) =>
    isOlder(state)
      ? {
          ...state,
          user_topics: Object.fromEntries(
            Object.entries(state.user_topics).filter(([, one]) => !stream_ids.includes(one.stream_id)),
          ),
        }
      : state,
};

function withSetting(state: State, name: string, value: unknown): State {
  return { ...state, organization: { ...state.organization, [name]: value } };
}

function shown(state: State, unreadCount: number): Json {
  // Filled by other answers, or polled.
  const { messages, windows, outbox, topic_lists, typing, presences, ...held } = state;
  const organization = Object.fromEntries(
    Object.entries(held.organization).filter(([name]) => !aside.includes(name)),
  );
  // A topic's name can have several spellings; the key is the same.
  const unread = Object.fromEntries(
    Object.entries(held.unread).map(([key, { ids, mentions }]) => [key, { ids, mentions }]),
  );
  return structuredClone({ ...held, organization, unread, unread_count: unreadCount });
}

/** Removes what users outside a channel cannot know: only recipients get the event of its first message. */
export function comparable(held: Json): Json {
  const hasFirst = (id: string) => id in held.subscriptions;
  for (const name of ["streams", ...places]) {
    for (const [id, channel] of Object.entries<Json>(held[name])) {
      if (!hasFirst(id)) delete channel.first_message_id;
      // Older clients get the effective settings of a channel, not whether they were set for it.
      if (isOlder(held)) for (const setting of inherited) delete channel[setting];
    }
  }
  return held;
}
