// All commands; shortcuts, the palette and the list of shortcuts are made from this table.

import { readingPaused } from "../../api/flagging.ts";
import { togglePanel } from "../../lib/panes.ts";
import { t } from "../../lib/texts.ts";
import { term } from "../../state/narrows.ts";
import { placeOf } from "../../state/places.ts";
import { visibility } from "../../state/topics.ts";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { homeRoute } from "../../ui/routes/opening.ts";
import { hashOf, placeOfTerms, placeRoute } from "../../ui/routes/route.ts";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { newMessage } from "../compose/new-message-opener.tsx";
import { jumpingToDate } from "../dates/jump-to-date.tsx";
import { selectedMessage } from "../feed/selection.ts";
import { markRead } from "../message/marking-read.tsx";
import { quote } from "../message/message-items.ts";
import { showPerson } from "../people/showing.ts";
import {
  edit,
  go,
  goToPlace,
  hasMessage,
  hasTopic,
  isEditable,
  leaveField,
  messageAt,
  move,
  nextInSidebar,
  nextUnread,
  onMessage,
  placeAt,
  pressAt,
  reply,
  termsAt,
  thumbs,
  toggle,
  topicAt,
  turnPage,
  type Where,
  write,
} from "./doing.ts";
import { openPalette } from "./palette-open.ts";

export interface PaletteCommand {
  name: string;
  /** The heading above it in the list of shortcuts. */
  group: string;
  /** As tinykeys writes them. */
  keys?: readonly string[];
  /** Whether its keys work while the person types: in any field, in that for a message, or only then. */
  inFields?: "any" | "composer" | "only";
  /** Also for visitors. */
  isOpen?: true;
  /** Not offered in the palette. */
  isKeyOnly?: true;
  isPossible?: (where: Where) => boolean;
  run: (where: Where) => void;
}

export const commands: readonly PaletteCommand[] = [
  {
    name: t("Go to anything"),
    isOpen: true,
    group: t("Go to"),
    keys: ["$mod+k"],
    inFields: "any",
    isKeyOnly: true,
    run: () => openPalette(),
  },
  { name: t("Search messages"), group: t("Go to"), keys: ["/"], run: go({ view: "search" }) },
  { name: t("Inbox"), group: t("Go to"), keys: ["i"], run: go({ view: "inbox" }) },
  {
    name: t("Recent conversations"),
    isOpen: true,
    group: t("Go to"),
    keys: ["t"],
    run: go({ view: "recent" }),
  },
  { name: t("Combined feed"), isOpen: true, group: t("Go to"), keys: ["a"], run: go({ view: "feed" }) },
  { name: t("Mentions"), group: t("Go to"), run: go({ view: "messages", terms: [term("is", "mentioned")] }) },
  {
    name: t("Starred messages"),
    group: t("Go to"),
    run: go({ view: "messages", terms: [term("is", "starred")] }),
  },
  { name: t("Direct messages"), group: t("Go to"), run: go({ view: "messages", terms: [term("is", "dm")] }) },
  { name: t("Drafts"), group: t("Go to"), keys: ["d"], run: go({ view: "drafts" }) },
  { name: t("Scheduled messages"), group: t("Go to"), run: go({ view: "scheduled" }) },
  { name: t("Reminders"), group: t("Go to"), run: go({ view: "reminders" }) },
  { name: t("Browse channels"), isOpen: true, group: t("Go to"), run: go({ view: "channels" }) },
  { name: t("Settings"), group: t("Go to"), run: go({ view: "settings" }) },
  {
    name: t("Notification settings"),
    group: t("Go to"),
    run: go({ view: "settings", section: "notifications" }),
  },
  {
    name: t("Jump to a date"),
    isOpen: true,
    group: t("Go to"),
    isPossible: (where) => termsAt(where) !== null,
    run: (where) => {
      const terms = termsAt(where);
      if (terms) jumpingToDate.set({ terms });
    },
  },
  {
    name: t("Next unread conversation"),
    group: t("Go to"),
    keys: ["n", "Alt+Shift+ArrowDown"],
    run: (where) => nextUnread(where),
  },
  {
    name: t("Previous unread conversation"),
    group: t("Go to"),
    keys: ["Alt+Shift+ArrowUp"],
    run: (where) => nextUnread(where, undefined, -1),
  },
  {
    name: t("Next unread direct message"),
    group: t("Go to"),
    keys: ["p"],
    run: (where) => nextUnread(where, (place) => "user_ids" in place),
  },
  {
    name: t("Next conversation of the sidebar"),
    isOpen: true,
    group: t("Go to"),
    keys: ["Alt+ArrowDown"],
    inFields: "composer",
    isKeyOnly: true,
    run: () => nextInSidebar(1),
  },
  {
    name: t("Previous conversation of the sidebar"),
    isOpen: true,
    group: t("Go to"),
    keys: ["Alt+ArrowUp"],
    inFields: "composer",
    isKeyOnly: true,
    run: () => nextInSidebar(-1),
  },
  {
    name: t("Leave the field, and go on by keyboard"),
    isOpen: true,
    group: t("Write"),
    keys: ["Escape"],
    inFields: "only",
    isKeyOnly: true,
    run: leaveField,
  },
  {
    name: t("Home view"),
    group: t("Go to"),
    keys: ["Escape"],
    isKeyOnly: true,
    isPossible: ({ client }) => client.store.get().user_settings.web_escape_navigates_to_home_view,
    run: ({ client }) => goTo(hashOf(homeRoute(client.store.get().user_settings.web_home_view))),
  },
  {
    name: t("Next message, or next row of a list"),
    isOpen: true,
    group: t("Messages"),
    keys: ["j", "ArrowDown"],
    isKeyOnly: true,
    run: () => move(1),
  },
  {
    name: t("Previous message, or previous row of a list"),
    isOpen: true,
    group: t("Messages"),
    keys: ["k", "ArrowUp"],
    isKeyOnly: true,
    run: () => move(-1),
  },
  {
    name: t("Newest message, or end of the list"),
    isOpen: true,
    group: t("Messages"),
    keys: ["End", "Shift+G"],
    run: () => move("last"),
  },
  {
    name: t("First message, or start of the list"),
    isOpen: true,
    group: t("Messages"),
    keys: ["Home"],
    run: () => move("first"),
  },
  {
    name: t("A page further"),
    isOpen: true,
    group: t("Messages"),
    keys: ["PageDown", "Space"],
    isKeyOnly: true,
    run: () => turnPage(1),
  },
  {
    name: t("A page back"),
    isOpen: true,
    group: t("Messages"),
    keys: ["PageUp", "Shift+Space"],
    isKeyOnly: true,
    run: () => turnPage(-1),
  },
  {
    name: t("Star, or remove the star"),
    group: t("Messages"),
    keys: ["s"],
    isPossible: hasMessage,
    run: (where) => {
      const message = messageAt(where);
      if (message) void where.client.flagging.star(message.id, !message.flags.includes("starred"));
    },
  },
  {
    name: t("React with a thumb up"),
    group: t("Messages"),
    keys: ["Shift++", "+"],
    isPossible: hasMessage,
    run: (where) => {
      const message = messageAt(where);
      const self = where.client.store.get().self.user_id;
      if (!message) return;
      const isOwn = message.reactions.some(
        (one) => one.user_id === self && one.emoji_code === thumbs.emoji_code,
      );
      void where.client.flagging.react(message.id, thumbs, !isOwn);
    },
  },
  { name: t("Edit the message"), group: t("Messages"), keys: ["e"], isPossible: isEditable, run: edit },
  {
    name: t("Quote"),
    group: t("Messages"),
    keys: ["Shift+>"],
    isPossible: hasMessage,
    run: onMessage(quote),
  },
  {
    name: t("React"),
    group: t("Messages"),
    keys: ["Shift+:"],
    isPossible: hasMessage,
    run: () => pressAt(t("React")),
  },
  {
    name: t("All that one can do with the message"),
    group: t("Messages"),
    keys: ["m"],
    isPossible: hasMessage,
    run: () => pressAt(t("More")),
  },
  {
    name: t("Who wrote it"),
    group: t("Messages"),
    keys: ["u"],
    isPossible: hasMessage,
    run: onMessage(({ store }, { id, sender_id }) => {
      const row = document.querySelector<HTMLElement>(`[data-message="${id}"]`);
      if (row && store.get().users[sender_id]) showPerson(sender_id, row);
    }),
  },
  {
    name: t("Mark as unread from here"),
    group: t("Messages"),
    keys: ["Shift+U"],
    isPossible: hasMessage,
    run: (where) => {
      const message = messageAt(where);
      if (!message) return;
      const place = placeRoute(placeOf(message, where.client.store.get().self.user_id));
      readingPaused.set(true);
      if (place.view === "messages") void where.client.flagging.markUnreadFrom(place.terms, message.id);
    },
  },
  {
    name: t("Open the message's conversation"),
    group: t("Messages"),
    keys: ["Enter"],
    isKeyOnly: true,
    isPossible: (where) =>
      hasMessage(where) && !(where.route.view === "messages" && placeOfTerms(where.route.terms)),
    run: (where) => {
      const place = placeAt(where);
      if (place) goToPlace(where, place, selectedMessage.get() ?? undefined);
    },
  },
  {
    name: t("Mark the conversation as read"),
    group: t("Conversation"),
    keys: ["Shift+R"],
    isPossible: (where) => placeAt(where) !== null,
    run: (where) => {
      const place = placeAt(where);
      const route = place && placeRoute(place);
      if (route?.view === "messages") markRead(where.client, route.terms);
    },
  },
  {
    name: t("Follow the topic, or no longer"),
    group: t("Conversation"),
    keys: ["Shift+F"],
    isPossible: hasTopic,
    run: (where) => toggle(where, visibility.followed),
  },
  {
    name: t("Mute the topic, or no longer"),
    group: t("Conversation"),
    keys: ["Shift+M"],
    isPossible: hasTopic,
    run: (where) => toggle(where, visibility.muted),
  },
  {
    name: t("Topics of the channel"),
    group: t("Conversation"),
    keys: ["Shift+T"],
    isPossible: hasTopic,
    run: (where) => {
      const place = topicAt(where);
      if (place) goTo(linkTo({ view: "topics", channel: place.stream_id }, where.client.store.get()));
    },
  },
  {
    name: t("People and details, beside the conversation"),
    group: t("Conversation"),
    keys: ["w"],
    run: togglePanel,
  },
  { name: t("Write a message"), group: t("Write"), keys: ["c"], run: write },
  { name: t("Reply"), group: t("Write"), keys: ["r"], run: reply },
  {
    name: t("New direct message"),
    group: t("Write"),
    keys: ["x"],
    run: () => newMessage.set({ toPeople: true }),
  },
  {
    name: t("Notify me in this browser while the chat is closed: on or off"),
    group: t("Help"),
    run: ({ client }) => {
      const { user_id } = client.store.get().self;
      import("../notifications/subscription.ts")
        .then(({ togglePush }) => togglePush(client.api, user_id))
        .then((text) => showToast({ text }), showFailure);
    },
  },
  {
    name: t("Keyboard shortcuts"),
    isOpen: true,
    group: t("Help"),
    keys: ["Shift+?"],
    run: go({ view: "shortcuts" }),
  },
];

/** Whether the command makes sense there, for this person. */
export function isPossibleAt(command: PaletteCommand, where: Where): boolean {
  return (command.isOpen === true || !where.client.isVisitor) && (command.isPossible?.(where) ?? true);
}
