import css from "./avatar.module.css";
import { classes } from "./classes.ts";

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

/** The picture of a person, whose name stands beside it: screen readers skip the picture. */
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

const words = { active: "Active", idle: "Idle", offline: "Offline" };

/** A mark that also has words, since colour alone tells some people nothing. */
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
