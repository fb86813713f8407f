// Goes to the end of a feed, and says how many unread messages are below what is in sight.
import { ArrowDown } from "lucide-react";
import { useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { type Place, placeKey } from "../../state/places.ts";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import css from "./feed.module.css";
import type { ListedLine } from "./rows.ts";

interface JumpProps {
  /** The conversation; null if the feed holds several. */
  place: Place | null;
  lines: readonly ListedLine[];
  /** The index of the last line in sight. */
  seen: number | undefined;
  onJump: () => void;
}

export function JumpToNewest({ place, lines, seen, onJump }: JumpProps) {
  const unread = useSelect((state) => (place ? state.unread[placeKey(place)]?.ids : undefined));
  const last = lines[seen ?? 0];
  const from = last && "message" in last ? last.message.id : 0;
  const count = (unread ?? (place ? [] : unreadOf(lines))).filter((id) => id > from).length;
  return (
    <span className={css.jump}>
      <IconButton
        className={css.jumpButton}
        label={
          count > 0
            ? t("Jump to newest: {count, plural, one {# new message} other {# new messages}}", { count })
            : t("Jump to newest")
        }
        icon={ArrowDown}
        data-jump
        onClick={onJump}
      />
      <span className={css.jumpCount} aria-hidden="true">
        <Badge count={count} look={place && "user_ids" in place ? "strong" : "quiet"} />
      </span>
    </span>
  );
}

function unreadOf(lines: readonly ListedLine[]): number[] {
  return lines.flatMap((line) =>
    "message" in line && !line.message.flags.includes("read") ? [line.message.id] : [],
  );
}
