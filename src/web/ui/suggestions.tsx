import { type ReactNode, useEffect, useRef } from "react";
import { classes } from "../lib/classes.ts";
import { t } from "../lib/texts.ts";
import css from "./suggestions.module.css";

interface SuggestionsProps<T> {
  id: string;
  items: readonly T[];
  /** The index of the chosen row; -1 if there is none. */
  chosen: number;
  /** Where the list opens, from the text field. */
  side: "above" | "below";
  keyOf: (item: T) => string;
  onChoose: (item: T) => void;
  children: (item: T) => ReactNode;
}

export function suggestionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** Suggestions for a text field, which keeps the focus and names the chosen row to assistive technology by `suggestionId`. */
export function Suggestions<T>({ id, items, chosen, side, keyOf, onChoose, children }: SuggestionsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t("Suggestions")}
      className={classes(css.list, css[side])}
      tabIndex={-1}
      hidden={items.length === 0}
    >
      {items.map((item, index) => (
        <div
          key={keyOf(item)}
          id={suggestionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className={classes(css.row, index === chosen && css.chosen)}
          // A click must not move the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
          onKeyDown={() => {}}
        >
          {children(item)}
        </div>
      ))}
    </div>
  );
}
