import type { UserStatus } from "@/personal/user-status/schema.ts";
import { useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { useEmojiName } from "../../ui/emoji/local-names.ts";
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
  return status?.emoji_name && status.emoji_code ? <Emoji status={status} /> : null;
}

function Emoji({ status }: { status: UserStatus }) {
  const { status_text, emoji_name = "", emoji_code = "", reaction_type = "" } = status;
  const src = useSelect((state) => pictureOf(state.realm_emoji, status));
  const emojiName = useEmojiName();
  const called = emojiName({ emoji_name, emoji_code, reaction_type });
  const label = status_text || called.replace(/^:(.*):$/, "$1").replaceAll("_", " ");
  if (reaction_type === "unicode_emoji") {
    return (
      <span className={css.emoji} role="img" aria-label={label} data-tip={label}>
        {emojiCharacter(emoji_code)}
      </span>
    );
  }
  return src ? <img className={css.picture} src={src} alt={label} data-tip={label} /> : null;
}
