import { classes } from "../lib/classes.ts";
import { parts } from "../lib/texts.ts";
import css from "./badge.module.css";
import { Rich } from "./rich.tsx";

/** What badges count. Only the number is seen; a screen reader says the rest. */
const wordings = {
  unread: "{count, plural, one {{shown}<rest> unread</rest>} other {{shown}<rest> unread</rest>}}",
  mentions: "{count, plural, one {{shown}<rest> mention</rest>} other {{shown}<rest> mentions</rest>}}",
  starred: "{count, plural, one {{shown}<rest> starred</rest>} other {{shown}<rest> starred</rest>}}",
  drafts: "{count, plural, one {{shown}<rest> draft</rest>} other {{shown}<rest> drafts</rest>}}",
  scheduled: "{count, plural, one {{shown}<rest> scheduled</rest>} other {{shown}<rest> scheduled</rest>}}",
  reminders: "{count, plural, one {{shown}<rest> reminder</rest>} other {{shown}<rest> reminders</rest>}}",
  reports:
    "{count, plural, one {{shown}<rest> open report</rest>} other {{shown}<rest> open reports</rest>}}",
} as const;

export interface BadgeProps {
  count: number;
  what?: keyof typeof wordings;
  look?: "quiet" | "strong" | "mention";
}

/** A number next to a name; nothing for zero. */
export function Badge({ count, what = "unread", look = "quiet" }: BadgeProps) {
  if (count <= 0) return null;
  return (
    <span className={classes(css.badge, css[look])} dir="ltr">
      {look === "mention" ? <span aria-hidden="true">@</span> : null}
      <Rich
        parts={parts(wordings[what], { count, shown: count > 9999 ? "9999+" : String(count) })}
        rest={(content) => <span className="visually-hidden">{content}</span>}
      />
    </span>
  );
}

/** A word in a frame: a role, a state. */
export function Tag({ text, look = "quiet" }: { text: string; look?: "quiet" | "warn" | "good" }) {
  return <span className={classes(css.tag, css[`${look}Tag`])}>{text}</span>;
}
