import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { language } from "../lib/texts.ts";
import css from "./tabs.module.css";

export interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; title: string }[];
  chosen: Id;
  onChoose: (id: Id) => void;
  /** The content of the chosen tab. */
  children: ReactNode;
}

/** Tabs; arrow keys move between them. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Id>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  // Where the window is narrow, the row of tabs scrolls.
  useEffect(() => {
    const tab = list.current?.querySelector(`[data-tab="${CSS.escape(chosen)}"]`);
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [chosen]);
  const walk = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const [right, left] = language.dir === "rtl" ? [at - 1, at + 1] : [at + 1, at - 1];
    const target = { ArrowRight: right, ArrowLeft: left, Home: 0, End: tabs.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = tabs.at(target % tabs.length);
    if (!next) return;
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={css.list} onKeyDown={walk}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            data-tab={id}
            aria-selected={id === chosen}
            aria-controls={`${base}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            className={css.tab}
            onClick={() => onChoose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen}`} className={css.panel}>
        {children}
      </div>
    </>
  );
}
