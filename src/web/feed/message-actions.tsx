// The actions of a message: the most common ones as buttons at its right, all of them in a menu.
import { EllipsisVertical, Star, TextQuote } from "lucide-react";
import { useState } from "react";
import { useClient } from "../client.ts";
import { EmojiButton } from "../emoji/emoji-button.tsx";
import { messageItems, quote } from "../message/message-items.ts";
import type { Message, Term } from "../state/message-shape.ts";
import { IconButton } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import css from "./feed.module.css";

export function MessageActions({ message, terms }: { message: Message; terms: readonly Term[] }) {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const isStarred = message.flags.includes("starred");
  const react = ({ names, code, type }: { names: readonly string[]; code: string; type: string }) => {
    const emoji = { emoji_name: names[0] ?? "", emoji_code: code, reaction_type: type };
    void client.flagging.react(message.id, emoji, true);
  };
  return (
    <div className={css.actions}>
      <EmojiButton label="React" size="small" tabIndex={-1} onPick={react} />
      <IconButton
        size="small"
        label="Quote"
        icon={TextQuote}
        tabIndex={-1}
        onClick={() => void quote(client, message)}
      />
      <IconButton
        size="small"
        label={isStarred ? "Remove the star" : "Star"}
        icon={Star}
        pressed={isStarred}
        tabIndex={-1}
        onClick={() => void client.flagging.star(message.id, !isStarred)}
      />
      <Menu
        label="Message"
        trigger={<IconButton size="small" label="More" icon={EllipsisVertical} tabIndex={-1} />}
        items={isOpen ? messageItems(client, message, terms) : []}
        onOpenChange={setOpen}
      />
    </div>
  );
}
