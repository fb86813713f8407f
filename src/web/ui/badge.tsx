import { classes } from "../lib/classes.ts";
import { t } from "../lib/texts.ts";
import css from "./badge.module.css";

export interface BadgeProps {
  count: number;
  /** What is counted, for screen readers: "3 unread". */
  what?: string;
  look?: "quiet" | "strong" | "mention";
}

/** A number next to a name; nothing for zero. */
export function Badge({ count, what = t("unread"), look = "quiet" }: BadgeProps) {
  if (count <= 0) return null;
  return (
    <span className={classes(css.badge, css[look])}>
      {look === "mention" ? <span aria-hidden="true">@</span> : null}
      {count > 9999 ? "9999+" : count}
      <span className="visually-hidden"> {what}</span>
    </span>
  );
}

/** A word in a frame: a role, a state. */
export function Tag({ text, look = "quiet" }: { text: string; look?: "quiet" | "warn" | "good" }) {
  return <span className={classes(css.tag, css[`${look}Tag`])}>{text}</span>;
}
