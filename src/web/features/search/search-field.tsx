import { Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useClient } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import type { Term } from "../../state/narrows.ts";
import { IconButton } from "../../ui/button.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { Suggestions, suggestionId } from "../../ui/suggestions.tsx";
import { TopicName } from "../../ui/topic-name.tsx";
import { type Suggestion, suggestionsFor, termsOf, textOf } from "./query.ts";
import css from "./search.module.css";

/** The search field, with suggestions below it. */
export function SearchField({ terms, isFirst = false }: { terms: readonly Term[]; isFirst?: boolean }) {
  const { store } = useClient();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() => textOf(terms, store.get()));
  const [chosen, setChosen] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const suggestions = isOpen ? suggestionsFor(text, store.get()) : [];

  useEffect(() => {
    setText(textOf(terms, store.get()));
  }, [terms, store]);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst]);

  const search = () => {
    const wanted = termsOf(text.trim(), store.get());
    setOpen(false);
    if (wanted.length > 0) goTo(linkTo({ view: "messages", terms: wanted }, store.get()));
  };
  const take = (suggestion: Suggestion) => {
    setText(suggestion.text);
    setChosen(-1);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const suggestion = suggestions[chosen] ?? (event.key === "Tab" ? suggestions[0] : undefined);
    if (step !== undefined && suggestions.length > 0) {
      setChosen((chosen + step + suggestions.length + (chosen < 0 && step < 0 ? 1 : 0)) % suggestions.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && suggestion && !event.shiftKey)
      take(suggestion);
    else if (event.key === "Enter") search();
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <search className={css.search}>
      <Search size={16} strokeWidth={1.5} aria-hidden="true" className={css.icon} />
      <input
        ref={field}
        className={css.field}
        role="combobox"
        aria-label={t("Search messages")}
        aria-autocomplete="list"
        aria-expanded={suggestions.length > 0}
        aria-controls={id}
        aria-activedescendant={chosen >= 0 ? suggestionId(id, chosen) : undefined}
        placeholder={t("Words, or from: channel: topic: has: is:")}
        dir={text ? "auto" : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(-1);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {text ? (
        <IconButton
          size="small"
          icon={X}
          label={t("Clear the search")}
          onClick={() => {
            setText("");
            field.current?.focus();
          }}
        />
      ) : null}
      <Suggestions
        id={id}
        items={suggestions}
        chosen={chosen}
        side="below"
        keyOf={(suggestion) => suggestion.text}
        onChoose={take}
      >
        {(suggestion) => (
          <>
            <span className={css.label} dir="ltr">
              <TopicName name={suggestion.label} />
            </span>
            <span className={css.about}>{suggestion.about}</span>
          </>
        )}
      </Suggestions>
    </search>
  );
}
