import { classes } from "../lib/classes.ts";
import { t } from "../lib/texts.ts";
import css from "./avatar.module.css";

export type PresenceState = "active" | "idle" | "offline";

export interface AvatarProps {
  /** The address of the picture. */
  src: string;
  /** Of its edge, in pixels. */
  size?: 16 | 20 | 24 | 32 | 36 | 40 | 64 | 96;
  /** Shown as a mark in the corner. */
  presence?: PresenceState | undefined;
  className?: string | undefined;
}

/** A person's picture. Screen readers skip it, because the name is next to it. */
export function Avatar({ src, size = 36, presence, className }: AvatarProps) {
  return (
    <span className={classes(css.avatar, className)} style={{ width: size, height: size }}>
      <img src={src} alt="" width={size} height={size} loading="lazy" decoding="async" draggable={false} />
      {presence && presence !== "offline" ? (
        <span className={classes(css.dot, css.corner, css[presence])} />
      ) : null}
    </span>
  );
}

const words = { active: t("Active"), idle: t("Idle"), offline: t("Offline") };

/** A presence mark with a text, because not everybody can see its colour. */
export function PresenceDot({ state }: { state: PresenceState }) {
  return (
    <span
      role="img"
      className={classes(css.dot, css[state])}
      aria-label={words[state]}
      data-tip={words[state]}
    />
  );
}
