// How many messages a search has found, and from which end one reads them.
import { useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { narrowKey, type Term } from "../../state/narrows.ts";
import { Button } from "../../ui/button.tsx";
import css from "./search.module.css";

interface CountProps {
  terms: readonly Term[];
  fromOldest: boolean;
  onChange: (fromOldest: boolean) => void;
}

/** The number is exact once all that was found is loaded; until then, it says that there are more. */
export function SearchCount({ terms, fromOldest, onChange }: CountProps) {
  const key = narrowKey(terms);
  const count = useSelect((state) => state.windows[key]?.ids.length ?? 0);
  const isWhole = useSelect(({ windows }) => {
    const window = windows[key];
    return window?.found_oldest === true && window.found_newest;
  });
  if (count === 0) return null;
  return (
    <div className={css.count}>
      <p role="status">
        {isWhole
          ? t("{count, plural, one {# message found} other {# messages found}}", { count })
          : t("{count, plural, one {#+ messages found} other {#+ messages found}}", { count })}
      </p>
      <fieldset className={css.order}>
        <legend className="visually-hidden">{t("Order of what was found")}</legend>
        <Button size="small" look="quiet" aria-pressed={!fromOldest} onClick={() => onChange(false)}>
          {t("From the newest")}
        </Button>
        <Button size="small" look="quiet" aria-pressed={fromOldest} onClick={() => onChange(true)}>
          {t("From the oldest")}
        </Button>
      </fieldset>
    </div>
  );
}
