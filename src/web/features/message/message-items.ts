// The rows of a message's menu: everything that the user may do with it.
import {
  Bell,
  ChevronsDownUp,
  Code,
  Copy,
  Eye,
  Flag,
  FolderInput,
  History,
  Link,
  MailOpen,
  Pencil,
  SmilePlus,
  Star,
  TextQuote,
  TextSelect,
  Trash2,
} from "lucide-react";
import type { Client } from "../../api/client.ts";
import { readingPaused } from "../../api/flagging.ts";
import { formatKeys } from "../../lib/keys.ts";
import { t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import type { Term } from "../../state/narrows.ts";
import { mayDelete, mayEdit, mayMove } from "../../state/permissions.ts";
import { placeOf } from "../../state/places.ts";
import { copyWithNotice } from "../../ui/content/behaviours.ts";
import { frequentReactions, noteUse, type Reaction, reactionKey } from "../../ui/emoji/frequent.ts";
import { emojiCharacter, pictureOf } from "../../ui/emoji/names.ts";
import type { MenuItem } from "../../ui/menu-item.ts";
import { linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { showFailure } from "../../ui/toasts.tsx";
import { editedMessage } from "../compose/editing.ts";
import { quoteMessage, sourceOf } from "../compose/insertion.ts";
import { openMessageDialog } from "./message-dialogs.tsx";
import { resolveItem } from "./resolving.ts";

/** Adds the person's own reaction, or takes it back. */
export function reactionItem(client: Client, message: Message, reaction: Reaction) {
  const { self, realm_emoji } = client.store.get();
  const isOwn = message.reactions.some(
    (one) => one.user_id === self.user_id && reactionKey(one) === reactionKey(reaction),
  );
  const picture = pictureOf(realm_emoji, reaction);
  return {
    label: `:${reaction.emoji_name}:`,
    sign: picture === undefined ? { character: emojiCharacter(reaction.emoji_code) } : { picture },
    checked: isOwn,
    onSelect: () => {
      if (!isOwn) noteUse(reaction);
      void client.flagging.react(message.id, reaction, !isOwn);
    },
  };
}

/** The reactions that are used most, and all others. */
export function reactionItems(client: Client, message: Message): MenuItem[] {
  const frequent = frequentReactions(client.store.get()).map((one) => reactionItem(client, message, one));
  const more = {
    label: t("Other reactions"),
    icon: SmilePlus,
    sign: "icon" as const,
    onSelect: () => openMessageDialog("react", message.id),
  };
  return [...frequent, more];
}

export function messageItems(client: Client, message: Message, terms: readonly Term[]): MenuItem[] {
  const state = client.store.get();
  const { id, flags } = message;
  const isStarred = flags.includes("starred");
  const isCollapsed = flags.includes("collapsed");
  const place = placeOf(message, state.self.user_id);
  const dialog = (name: Parameters<typeof openMessageDialog>[0]) => () => openMessageDialog(name, id);
  const when = (condition: boolean, ...items: MenuItem[]) => (condition ? items : []);
  return [
    ...when(mayEdit(state, message), {
      label: t("Edit"),
      icon: Pencil,
      keys: "E",
      onSelect: () => editedMessage.set(id),
    }),
    { label: t("Quote"), icon: TextQuote, keys: ">", onSelect: () => void quote(client, message) },
    {
      label: isStarred ? t("Remove the star") : t("Star"),
      icon: Star,
      keys: "S",
      onSelect: () => void client.flagging.star(id, !isStarred),
    },
    {
      label: t("Mark as unread from here"),
      icon: MailOpen,
      keys: formatKeys("Shift+U"),
      onSelect: () => {
        readingPaused.set(true);
        void client.flagging.markUnreadFrom(terms, id);
      },
    },
    { label: t("Remind me of this …"), icon: Bell, onSelect: dialog("remind") },
    // With a mouse, text is selected where it is.
    ...when(matchMedia("(pointer: coarse)").matches, {
      label: t("Select text …"),
      icon: TextSelect,
      onSelect: dialog("text"),
    }),
    "line",
    ...when(mayMove(state, message), { label: t("Move …"), icon: FolderInput, onSelect: dialog("move") }),
    ...("stream_id" in place ? resolveItem(client, place, id) : []),
    {
      label: isCollapsed ? t("Show in full") : t("Collapse"),
      icon: ChevronsDownUp,
      onSelect: () => void client.flagging.collapse(id, !isCollapsed),
    },
    "line",
    ...when(message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined, {
      label: t("Edits of this message"),
      icon: History,
      onSelect: dialog("history"),
    }),
    ...when(state.organization.realm_enable_read_receipts, {
      label: t("Who has read this"),
      icon: Eye,
      onSelect: dialog("receipts"),
    }),
    ...when(message.reactions.length > 0, {
      label: t("Who reacted"),
      icon: SmilePlus,
      onSelect: dialog("reactions"),
    }),
    { label: t("What was typed"), icon: Code, onSelect: dialog("source") },
    {
      label: t("Copy text"),
      icon: Copy,
      onSelect: () => void copyWithNotice(sourceOf(client, id), t("Text copied.")).catch(showFailure),
    },
    {
      label: t("Copy link to message"),
      icon: Link,
      onSelect: () => {
        const link = new URL(linkTo(placeRoute(place, id), client.store.get()), location.href);
        void copyWithNotice(link.href, t("Link copied."));
      },
    },
    ...when(message.sender_id !== state.self.user_id && hasModeration(state.organization), {
      label: t("Report …"),
      icon: Flag,
      onSelect: dialog("report"),
    }),
    ...when(mayDelete(state, message), "line", {
      label: t("Delete …"),
      icon: Trash2,
      danger: true,
      onSelect: dialog("delete"),
    }),
  ];
}

/** Quotes the message in the composer, or shows the error. */
export async function quote(client: Client, message: Message): Promise<void> {
  await quoteMessage(client, message).catch((error: unknown) => showFailure(error));
}

function hasModeration({ realm_moderation_request_channel_id }: Record<string, unknown>): boolean {
  return typeof realm_moderation_request_channel_id === "number" && realm_moderation_request_channel_id > 0;
}
