import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { SavedSnippet } from "@/personal/saved-snippets/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { SnippetForm } from "./snippet-form.tsx";
import css from "./snippets.module.css";
import { sortSnippets } from "./snippets.ts";

/** The person's snippets: adding, changing and deleting them. */
export function SnippetSettings() {
  const { api } = useClient();
  const snippets = useSelect((state) => state.saved_snippets);
  const [edited, setEdited] = useState<SavedSnippet | "new" | null>(null);
  const [deleted, setDeleted] = useState<SavedSnippet | null>(null);
  return (
    <section className={css.settings}>
      <h2 className={css.heading}>{t("Snippets")}</h2>
      <p className={css.quiet}>
        {t("Texts for messages that you write again and again. The composer's menu of formats inserts them.")}
      </p>
      <ul className={css.list} aria-label={t("Snippets")}>
        {sortSnippets(Object.values(snippets)).map((snippet) => (
          <li key={snippet.id} className={css.item}>
            <div className={css.itemText}>
              <p>
                <bdi>{snippet.title}</bdi>
              </p>
              <p className={css.text} dir="auto">
                {snippet.content}
              </p>
            </div>
            <IconButton
              size="small"
              icon={Pencil}
              label={t("Change the snippet {name}", { name: snippet.title })}
              onClick={() => setEdited(snippet)}
            />
            <IconButton
              size="small"
              icon={Trash2}
              label={t("Delete the snippet {name}", { name: snippet.title })}
              onClick={() => setDeleted(snippet)}
            />
          </li>
        ))}
      </ul>
      <div className={css.buttons}>
        <Button onClick={() => setEdited("new")}>{t("Add a snippet")}</Button>
      </div>
      {edited ? (
        <SnippetForm snippet={edited === "new" ? undefined : edited} onClose={() => setEdited(null)} />
      ) : null}
      {deleted ? (
        <Confirm
          title={t("Delete the snippet?")}
          action={t("Delete")}
          danger
          onConfirm={() => api.delete(`/saved_snippets/${deleted.id}`)}
          onClose={() => setDeleted(null)}
        >
          <p>
            <bdi>{deleted.title}</bdi>
          </p>
        </Confirm>
      ) : null}
    </section>
  );
}
