// The menu rows of topics and channels: what this person may do with the whole topic or channel.
import {
  BellOff,
  BellRing,
  CalendarSearch,
  CheckCheck,
  FolderInput,
  Link,
  LogOut,
  MessageSquarePlus,
  Pin,
  Settings2,
  Trash2,
} from "lucide-react";
import type { Client } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { narrowKey, term } from "../../state/narrows.ts";
import { mayDeleteAny, mayMove } from "../../state/permissions.ts";
import type { Place } from "../../state/places.ts";
import { channelOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { visibility, visibilityOf } from "../../state/topics.ts";
import { copyWithNotice } from "../../ui/content/behaviours.ts";
import type { MenuItem } from "../../ui/menu-item.ts";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute, type Route } from "../../ui/routes/route.ts";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { newMessage } from "../compose/new-message-opener.tsx";
import { jumpingToDate } from "../dates/jump-to-date.tsx";
import type { MessageDialog } from "./dialog-props.ts";
import { markRead } from "./marking-read.tsx";
import { openMessageDialog } from "./message-dialogs.tsx";
import { resolveItem } from "./resolving.ts";

type TopicPlace = Extract<Place, { topic: string }>;

/** The newest message of a topic that the client knows of. */
function newestIn(state: State, { stream_id, topic }: TopicPlace): number | undefined {
  const key = narrowKey([term("channel", stream_id), term("topic", topic)]);
  const listed = state.topic_lists[stream_id]?.find(({ name }) => name.toLowerCase() === topic.toLowerCase());
  return state.windows[key]?.ids.at(-1) ?? listed?.max_id;
}

function copyLink(client: Client, route: Route): MenuItem {
  const link = new URL(linkTo(route, client.store.get()), location.href);
  return {
    label: t("Copy link"),
    icon: Link,
    onSelect: () => void copyWithNotice(link.href, t("Link copied.")),
  };
}

export function topicItems(client: Client, place: TopicPlace): MenuItem[] {
  const { store, flagging, fetching } = client;
  const state = store.get();
  const policy = visibilityOf(state, place.stream_id, place.topic);
  const newest = newestIn(state, place);
  const toggle = (to: typeof policy) => () =>
    void flagging.setVisibility(place, policy === to ? visibility.inherited : to);
  const { terms } = placeRoute(place);
  const copy = copyLink(client, placeRoute(place));
  const jump = {
    label: t("Jump to a date …"),
    icon: CalendarSearch,
    onSelect: () => jumpingToDate.set({ terms }),
  };
  if (client.isVisitor) return [jump, copy];
  const open = (dialog: MessageDialog, id: number) => async () => {
    await fetching.byIds([id]).catch(showFailure);
    openMessageDialog(dialog, id);
  };
  return [
    { label: t("Mark all as read"), icon: CheckCheck, onSelect: () => markRead(client, terms) },
    {
      label: t("Follow"),
      icon: BellRing,
      checked: policy === visibility.followed,
      onSelect: toggle(visibility.followed),
    },
    {
      label: t("Mute"),
      icon: BellOff,
      checked: policy === visibility.muted,
      onSelect: toggle(visibility.muted),
    },
    jump,
    "line",
    ...(newest === undefined ? [] : resolveItem(client, place, newest)),
    ...(newest !== undefined && mayMove(state, place)
      ? [
          {
            label: t("Rename or move …"),
            icon: FolderInput,
            onSelect: open("move-topic", newest),
          },
        ]
      : []),
    copy,
    ...(newest !== undefined && mayDeleteAny(state, place)
      ? ([
          "line",
          {
            label: t("Delete the topic …"),
            icon: Trash2,
            danger: true,
            onSelect: open("delete-topic", newest),
          },
        ] satisfies MenuItem[])
      : []),
  ];
}

export function channelItems(client: Client, id: number): MenuItem[] {
  const { api, store, flagging } = client;
  const state = store.get();
  const own = state.subscriptions[id];
  const name = channelOf(state, id)?.name ?? "";
  const go = (route: Route) => () => goTo(linkTo(route, store.get()));
  const leave = () => {
    api
      .delete("/users/me/subscriptions", { subscriptions: [name] })
      .then(() => showToast({ text: t("You left {channel}.", { channel: `#${name}` }) }), showFailure);
  };
  return [
    {
      label: t("Mark all as read"),
      icon: CheckCheck,
      onSelect: () => markRead(client, [term("channel", id)]),
    },
    { label: t("New topic"), icon: MessageSquarePlus, onSelect: () => newMessage.set({ channel: id }) },
    ...(own
      ? ([
          {
            label: t("Pin to the top"),
            icon: Pin,
            checked: own.pin_to_top,
            onSelect: () => void flagging.setSubscription(id, "pin_to_top", !own.pin_to_top),
          },
          {
            label: t("Mute"),
            icon: BellOff,
            checked: own.is_muted,
            onSelect: () => void flagging.setSubscription(id, "is_muted", !own.is_muted),
          },
        ] satisfies MenuItem[])
      : []),
    "line",
    copyLink(client, { view: "topics", channel: id }),
    { label: t("Settings of the channel"), icon: Settings2, onSelect: go({ view: "channels", channel: id }) },
    ...(own
      ? ([
          "line",
          { label: t("Leave the channel"), icon: LogOut, danger: true, onSelect: leave },
        ] satisfies MenuItem[])
      : []),
  ];
}
