import type { UserStatus } from "@/personal/user-status/schema.ts";
import { useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { emojiCharacter, pictureOf } from "../../ui/emoji/names.ts";
import css from "./status.module.css";

/** A person's status; nothing if they have none. */
export function StatusLine({ userId, className }: { userId: number; className?: string | undefined }) {
  const status = useSelect((state) => state.user_status[userId]);
  if (!status?.status_text && !status?.emoji_name) return null;
  return (
    <p className={classes(css.line, className)}>
      <StatusEmoji status={status} />
      <span>{status.status_text}</span>
    </p>
  );
}

export function StatusEmoji({ status }: { status: UserStatus | undefined }) {
  const src = useSelect((state) => pictureOf(state.realm_emoji, status ?? {}));
  if (!status?.emoji_name || !status.emoji_code) return null;
  const label = status.status_text || status.emoji_name.replaceAll("_", " ");
  if (status.reaction_type === "unicode_emoji") {
    return (
      <span className={css.emoji} role="img" aria-label={label} data-tip={label}>
        {emojiCharacter(status.emoji_code)}
      </span>
    );
  }
  return src ? <img className={css.picture} src={src} alt={label} data-tip={label} /> : null;
}
