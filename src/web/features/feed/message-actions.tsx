// The actions of a message: the most common ones as buttons at its right, all of them in a menu.
import { EllipsisVertical, Star, TextQuote } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import type { Term } from "../../state/narrows.ts";
import { IconButton } from "../../ui/button.tsx";
import { EmojiButton } from "../../ui/emoji/emoji-button.tsx";
import { noteUse, reactionOf } from "../../ui/emoji/frequent.ts";
import type { EmojiEntry } from "../../ui/emoji/names.ts";
import { Menu } from "../../ui/menu.tsx";
import { messageItems, quote } from "../message/message-items.ts";
import css from "./feed.module.css";
import { useHovered } from "./hover.ts";

interface ActionsProps {
  message: Message;
  terms: readonly Term[];
}

/** Renders nothing until the message is under the pointer or has the focus, because most messages are only scrolled past. */
export function MessageActions(props: ActionsProps) {
  const isHovered = useHovered(props.message.id);
  const [isOpen, setOpen] = useState(false);
  return isHovered || isOpen ? <Actions {...props} isOpen={isOpen} setOpen={setOpen} /> : null;
}

interface OpenableProps extends ActionsProps {
  /** Whether its menu or the picker of emoji is open. */
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

function Actions({ message, terms, isOpen, setOpen }: OpenableProps) {
  const client = useClient();
  const isStarred = message.flags.includes("starred");
  const react = (emoji: EmojiEntry) => {
    const reaction = reactionOf(emoji);
    noteUse(reaction);
    void client.flagging.react(message.id, reaction, true);
  };
  return (
    <div className={css.actions}>
      <EmojiButton label={t("React")} size="small" tabIndex={-1} onPick={react} onOpenChange={setOpen} />
      <IconButton
        size="small"
        label={t("Quote")}
        icon={TextQuote}
        tabIndex={-1}
        onClick={() => void quote(client, message)}
      />
      <IconButton
        size="small"
        label={isStarred ? t("Remove the star") : t("Star")}
        icon={Star}
        pressed={isStarred}
        tabIndex={-1}
        onClick={() => void client.flagging.star(message.id, !isStarred)}
      />
      <Menu
        label={t("Message|noun")}
        trigger={<IconButton size="small" label={t("More")} icon={EllipsisVertical} tabIndex={-1} />}
        items={isOpen ? messageItems(client, message, terms) : []}
        onOpenChange={setOpen}
      />
    </div>
  );
}
