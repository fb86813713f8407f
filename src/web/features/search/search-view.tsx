import { Search } from "lucide-react";
import { parts, t } from "../../lib/texts.ts";
import type { Term } from "../../state/narrows.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Rich } from "../../ui/rich.tsx";
import { ViewHead } from "../../ui/view-head.tsx";
import css from "./search.module.css";
import { SearchField } from "./search-field.tsx";

const nothing: readonly Term[] = [];

export function SearchView() {
  return (
    <>
      <ViewHead title={t("Search")} />
      <SearchField terms={nothing} isFirst />
      <div className={css.before}>
        <EmptyState icon={Search} title={t("Find what was said")}>
          <Rich
            parts={parts(
              "Type words, or narrow it down: <example>from:Mel channel:harbour has:link is:unread</example>",
            )}
            example={(content) => <span dir="ltr">{content}</span>}
          />
        </EmptyState>
      </div>
    </>
  );
}
