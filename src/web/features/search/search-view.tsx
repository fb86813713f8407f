import { Search } from "lucide-react";
import type { Term } from "../../state/narrows.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ViewHead } from "../../ui/view-head.tsx";
import css from "./search.module.css";
import { SearchField } from "./search-field.tsx";

const nothing: readonly Term[] = [];

export function SearchView() {
  return (
    <>
      <ViewHead title="Search" />
      <SearchField terms={nothing} isFirst />
      <div className={css.before}>
        <EmptyState icon={Search} title="Find what was said">
          Type words, or narrow it down: from:Mel channel:harbour has:link is:unread
        </EmptyState>
      </div>
    </>
  );
}
