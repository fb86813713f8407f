// Browser notifications and sounds while the client is open but not in front.

import { useEffect } from "react";
import { type Client, useClient } from "../../api/client.ts";
import { desktopApp } from "../../lib/desktop-app.ts";
import { t } from "../../lib/texts.ts";
import type { Message, MessageEvents } from "../../state/messages.ts";
import type { ServerEvent } from "../../state/noun.ts";
import { placeOf } from "../../state/places.ts";
import { nameOf, placeName } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { isMuted, visibility, visibilityOf } from "../../state/topics.ts";
import { plainText } from "../../ui/emoji/plain.ts";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { playSound } from "./sounds.ts";

/** The settings that decide, for each kind of notification. */
const ways = {
  desktop: {
    own: "enable_desktop_notifications",
    followed: "enable_followed_topic_desktop_notifications",
    channels: "enable_stream_desktop_notifications",
    channel: "desktop_notifications",
  },
  audible: {
    own: "enable_sounds",
    followed: "enable_followed_topic_audible_notifications",
    channels: "enable_stream_audible_notifications",
    channel: "audible_notifications",
  },
} as const;

/** Whether the person wants this kind of notification for such a message. */
function isWanted(state: State, message: Message, way: keyof typeof ways): boolean {
  const names = ways[way];
  const { user_settings: settings, self } = state;
  const has = (flag: string) => message.flags.includes(flag);
  if (message.sender_id === self.user_id || has("read")) return false;
  if (state.muted_users.some(({ id }) => id === message.sender_id)) return false;
  const isNamed = has("mentioned") || has("has_alert_word");
  if (message.type === "private" || isNamed) return settings[names.own] === true;
  const [channel, topic] = [message.stream_id as number, message.subject];
  if (isMuted(state, { stream_id: channel, topic })) return false;
  const own = state.subscriptions[channel];
  const isFollowed = visibilityOf(state, channel, topic) === visibility.followed;
  const isWide = has("stream_wildcard_mentioned") || has("topic_wildcard_mentioned");
  const wide = isFollowed
    ? settings.enable_followed_topic_wildcard_mentions_notify
    : (own?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify);
  if (isWide && settings[names.own] && wide) return true;
  if (isFollowed && settings[names.followed] === true) return true;
  return (own?.[names.channel] ?? settings[names.channels]) === true;
}

function announce(client: Client, message: Message): void {
  const state = client.store.get();
  const hidesText =
    message.type === "private" && state.user_settings.pm_content_in_desktop_notifications === false;
  const sender = nameOf(state, message.sender_id);
  const conversation = placeName(state, placeOf(message, state.self.user_id));
  const title =
    message.type === "private" ? sender : t("{person} in {conversation}", { person: sender, conversation });
  const options = {
    body: hidesText ? t("New direct message") : plainText(message.content),
    ...(message.avatar_url ? { icon: message.avatar_url } : {}),
  };
  const show = desktopApp?.new_notification ? showInDesktopApp : showInBrowser;
  const close = show(title, options, message.id, () => {
    openMessage(client, message);
    close();
  });
}

/** Shows a notification; returns a function that removes it. */
type ShowNotification = (
  title: string,
  options: NotificationOptions,
  messageId: number,
  onClick: () => void,
) => () => void;

const showInBrowser: ShowNotification = (title, options, id, onClick) => {
  const notice = new Notification(title, { ...options, tag: `message ${id}` });
  notice.onclick = () => {
    window.focus();
    onClick();
  };
  return () => notice.close();
};

const showInDesktopApp: ShowNotification = (title, options, id, onClick) => {
  const dispatch = (event: string) => {
    if (event === "click") onClick();
    return true;
  };
  const notice = desktopApp?.new_notification?.(title, { ...options, tag: String(id) }, dispatch);
  return () => notice?.close();
};

/** Shows the message in its conversation. */
export function openMessage({ store, flagging }: Client, message: Message): void {
  const state = store.get();
  goTo(linkTo(placeRoute(placeOf(message, state.self.user_id), message.id), state));
  flagging.see([message.id]);
}

export const isMessage = (event: ServerEvent): event is MessageEvents["message"] => event.type === "message";

export function useAnnouncing(): void {
  const client = useClient();
  useEffect(
    () =>
      client.latestEvents.subscribe(() => {
        if (document.hasFocus()) return;
        const state = client.store.get();
        const arrived = client.latestEvents.get().filter(isMessage);
        const known = arrived.flatMap(({ message }) => state.messages[message.id] ?? []);
        if (known.some((one) => isWanted(state, one, "audible")))
          playSound(String(state.user_settings.notification_sound));
        if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
        for (const message of known.filter((one) => isWanted(state, one, "desktop")).slice(-3))
          announce(client, message);
      }),
    [client],
  );
}

/** Whether the person has neither allowed nor blocked notifications yet, so that asking shows the browser's question. */
export function mayAskToAnnounce(): boolean {
  return "Notification" in globalThis && Notification.permission === "default" && isSecureContext;
}
