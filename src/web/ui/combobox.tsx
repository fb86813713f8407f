// A text field that offers what fits below it.
import { autoUpdate, flip, offset, size, useFloating } from "@floating-ui/react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { t } from "../lib/texts.ts";
import css from "./combobox.module.css";
import { TextField, type TextFieldProps } from "./field.tsx";
import { Suggestions, suggestionId } from "./suggestions.tsx";

interface ComboboxProps<T>
  extends Pick<
    TextFieldProps,
    "label" | "hint" | "error" | "placeholder" | "maxLength" | "onChange" | "ref"
  > {
  value: string;
  /** What fits the text, best first. */
  items: readonly T[];
  keyOf: (item: T) => string;
  /** Marks the best one once something is typed, so that Enter and Tab take it: for a field that takes nothing else. */
  takesFirst?: boolean;
  /** Selects the whole text when it is entered, so that typing replaces it. */
  selectsAll?: boolean;
  onChoose: (item: T) => void;
  children: (item: T) => ReactNode;
}

/** Arrow keys mark one of the items, Enter or Tab takes it, Escape closes the list. */
export function Combobox<T>({
  items,
  keyOf,
  takesFirst = false,
  selectsAll = false,
  onChoose,
  children,
  onChange,
  ...field
}: ComboboxProps<T>) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [moved, setMoved] = useState<number | null>(null);
  const at = moved ?? (takesFirst && field.value !== "" ? 0 : -1);
  const shown = isOpen ? items : [];
  const { refs, floatingStyles } = useFloating({
    open: shown.length > 0,
    strategy: "fixed",
    placement: "bottom-start",
    transform: false,
    whileElementsMounted: autoUpdate,
    middleware: [
      offset(4),
      flip({ padding: 8 }),
      size({
        padding: 8,
        apply: ({ rects, availableHeight, elements }) => {
          Object.assign(elements.floating.style, {
            width: `${rects.reference.width}px`,
            maxHeight: `${Math.min(320, availableHeight)}px`,
          });
        },
      }),
    ],
  });
  const open = (next: boolean) => {
    setOpen(next);
    setMoved(null);
  };
  const enter = (input: HTMLInputElement) => {
    if (selectsAll) input.select();
    open(true);
  };
  const choose = (item: T) => {
    onChoose(item);
    open(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = shown[at];
    if (step !== undefined) {
      if (!isOpen) open(true);
      else if (items.length > 0)
        setMoved((at + step + items.length + (at < 0 && step < 0 ? 1 : 0)) % items.length);
    } else if (event.key === "Tab" && item && field.value !== "") return choose(item);
    else if (event.key === "Enter" && item) choose(item);
    else if (event.key === "Escape" && shown.length > 0) open(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={refs.setReference}>
      <TextField
        {...field}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={id}
        aria-activedescendant={shown[at] ? suggestionId(id, at) : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={(value) => {
          onChange(value);
          open(true);
        }}
        onFocus={(event) => enter(event.currentTarget)}
        onClick={(event) => enter(event.currentTarget)}
        onBlur={() => open(false)}
        onKeyDown={onKeyDown}
      />
      <p className="visually-hidden" role="status">
        {isOpen
          ? t("{count, plural, one {# suggestion} other {# suggestions}}", { count: items.length })
          : ""}
      </p>
      <div ref={refs.setFloating} className={css.floating} style={floatingStyles} hidden={shown.length === 0}>
        <Suggestions id={id} items={shown} chosen={at} side="below" keyOf={keyOf} onChoose={choose}>
          {children}
        </Suggestions>
      </div>
    </div>
  );
}
