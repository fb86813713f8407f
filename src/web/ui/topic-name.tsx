import { Check } from "lucide-react";
import { t } from "../lib/texts.ts";
import { resolvedSign } from "../state/topics.ts";
import css from "./topic-name.module.css";

/** The sign at the beginning, or after a channel ("#launch › ✔ fuel") or the word of a search ("topic:✔ fuel"). */
const pattern = new RegExp(`^(.*(?:› |:"?))?${resolvedSign}(.+)$`, "s");

/** A topic's name, or a conversation's. One that is resolved is quiet, with a check instead of the sign in the name. */
export function TopicName({ name }: { name: string }) {
  const [, before = "", topic] = pattern.exec(name) ?? [];
  if (topic === undefined) return name;
  return (
    <span className={css.resolved}>
      {before}
      <Check className={css.check} size={16} strokeWidth={2} role="img" aria-label={t("resolved")} />
      {topic}
    </span>
  );
}
