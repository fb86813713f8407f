// What one can do with a message: a few buttons at its right, all of it in a menu.
import { EllipsisVertical, Link, MailOpen, Star } from "lucide-react";
import { useClient, useSelect } from "../client.ts";
import { copyAndTell } from "../content/behaviours.ts";
import { linkTo } from "../routes/navigation.ts";
import { placeRoute } from "../routes/route.ts";
import type { Message, Term } from "../state/message-shape.ts";
import { placeOf } from "../state/places.ts";
import { IconButton } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import css from "./feed.module.css";
import { readingPaused } from "./reading.ts";

export function MessageActions({ message, terms }: { message: Message; terms: readonly Term[] }) {
  const { flagging, store } = useClient();
  const self = useSelect((state) => state.self.user_id);
  const isStarred = message.flags.includes("starred");
  const place = placeOf(message, self);
  const copyLink = () => {
    const link = new URL(linkTo(placeRoute(place, message.id), store.get()), location.href);
    void copyAndTell(link.href, "Link copied.");
  };
  const markUnread = () => {
    readingPaused.set(true);
    void flagging.markUnreadFrom(terms, message.id);
  };
  return (
    <div className={css.actions}>
      <IconButton
        size="small"
        label={isStarred ? "Remove the star" : "Star"}
        icon={Star}
        pressed={isStarred}
        tabIndex={-1}
        onClick={() => void flagging.star(message.id, !isStarred)}
      />
      <Menu
        label="Message"
        trigger={<IconButton size="small" label="More" icon={EllipsisVertical} tabIndex={-1} />}
        items={[
          { label: "Mark as unread from here", icon: MailOpen, keys: "Shift U", onSelect: markUnread },
          { label: "Copy link to message", icon: Link, onSelect: copyLink },
        ]}
      />
    </div>
  );
}
