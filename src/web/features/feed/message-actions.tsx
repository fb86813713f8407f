// The actions of a message: the most common ones as buttons beside its text, all of them in a menu.
import { EllipsisVertical, TextQuote } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import type { Term } from "../../state/narrows.ts";
import { IconButton } from "../../ui/button.tsx";
import { EmojiButton } from "../../ui/emoji/emoji-button.tsx";
import {
  frequentReactions,
  noteUse,
  type Reaction,
  reactionKey,
  reactionOf,
} from "../../ui/emoji/frequent.ts";
import { useEmojiName } from "../../ui/emoji/local-names.ts";
import type { EmojiEntry } from "../../ui/emoji/names.ts";
import { Menu } from "../../ui/menu.tsx";
import { messageItems, quote, reactionItem } from "../message/message-items.ts";
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
  // They keep their places while the message is under the pointer.
  const [frequent] = useState(() => frequentReactions(client.store.get()).slice(0, 3));
  const react = (emoji: EmojiEntry) => {
    const reaction = reactionOf(emoji);
    noteUse(reaction);
    void client.flagging.react(message.id, reaction, true);
  };
  return (
    <div className={css.actionsPlace}>
      <div className={css.actions} data-actions>
        {frequent.map((reaction) => (
          <QuickReaction key={reactionKey(reaction)} message={message} reaction={reaction} />
        ))}
        <EmojiButton label={t("React")} size="small" tabIndex={-1} onPick={react} onOpenChange={setOpen} />
        <IconButton
          className={css.quote}
          size="small"
          label={t("Quote")}
          icon={TextQuote}
          tabIndex={-1}
          onClick={() => void quote(client, message)}
        />
        <Menu
          label={t("Message|noun")}
          trigger={<IconButton size="small" label={t("More")} icon={EllipsisVertical} tabIndex={-1} />}
          items={isOpen ? messageItems(client, message, terms) : []}
          onOpenChange={setOpen}
        />
      </div>
    </div>
  );
}

function QuickReaction({ message, reaction }: { message: Message; reaction: Reaction }) {
  const client = useClient();
  const label = useEmojiName()(reaction);
  const { sign, checked, onSelect } = reactionItem(client, message, reaction);
  return (
    <button
      type="button"
      className={css.quick}
      tabIndex={-1}
      aria-label={label}
      aria-pressed={checked}
      data-tip={label}
      onClick={onSelect}
    >
      {"picture" in sign ? (
        <img src={sign.picture} alt="" width={18} height={18} />
      ) : (
        <span data-emoji={sign.character} />
      )}
    </button>
  );
}
