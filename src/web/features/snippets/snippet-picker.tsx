import { type KeyboardEvent, useRef, useState } from "react";
import { useSelect } from "../../api/client.ts";
import { fold } from "../../lib/matching.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { SnippetForm } from "./snippet-form.tsx";
import css from "./snippets.module.css";
import { sortSnippets } from "./snippets.ts";

const maxShown = 50;

interface SnippetPickerProps {
  /** What is written now, which can become a snippet. */
  text: string;
  onPick: (content: string) => void;
  onClose: () => void;
}

/** Finds a snippet to insert, or saves what is written as one. */
export function SnippetPicker({ text, onPick, onClose }: SnippetPickerProps) {
  const snippets = useSelect((state) => state.saved_snippets);
  const [query, setQuery] = useState("");
  const [isSaving, setSaving] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  if (isSaving) return <SnippetForm text={text} onClose={onClose} />;

  const words = fold(query).split(/\s+/);
  const found = sortSnippets(Object.values(snippets)).filter((one) => {
    const all = fold(`${one.title}\n${one.content}`);
    return words.every((word) => all.includes(word));
  });
  const pick = (content: string) => {
    onClose();
    onPick(content);
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const stops = [...(body.current?.querySelectorAll<HTMLElement>("input, li button") ?? [])];
    stops[stops.indexOf(event.currentTarget) + by]?.focus();
  };
  return (
    <Dialog
      title={t("Snippets")}
      onClose={onClose}
      onSubmit={() => found[0] && pick(found[0].content)}
      actions={
        <Button disabled={text.trim() === ""} onClick={() => setSaving(true)}>
          {t("Save what is written")}
        </Button>
      }
    >
      <div ref={body} className={css.form}>
        <TextField label={t("Find a snippet")} value={query} onChange={setQuery} onKeyDown={move} />
        {found.length > 0 ? (
          <ul className={css.found} aria-label={t("Snippets")}>
            {found.slice(0, maxShown).map(({ id, title, content }) => (
              <li key={id}>
                <button type="button" className={css.snippet} onKeyDown={move} onClick={() => pick(content)}>
                  <bdi className={css.title}>{title}</bdi>
                  <span className={css.text} dir="auto">
                    {content}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        ) : (
          <p className={css.quiet}>
            {query.trim() === ""
              ? t("Texts that you write again and again: save one here, and insert it with two keys.")
              : t("Nothing found")}
          </p>
        )}
      </div>
    </Dialog>
  );
}
