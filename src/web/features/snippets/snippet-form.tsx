import { useState } from "react";
import type { SavedSnippet } from "@/personal/saved-snippets/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import css from "./snippets.module.css";

const maxTitle = 60;

interface SnippetFormProps {
  /** The one to change; without it, a new one is saved. */
  snippet?: SavedSnippet | undefined;
  /** The text that a new one begins with. */
  text?: string;
  onClose: () => void;
}

/** Saves a new snippet, or changes one. */
export function SnippetForm({ snippet, text = "", onClose }: SnippetFormProps) {
  const { api } = useClient();
  const maxLength = useSelect((state) => state.organization.max_message_length);
  const [title, setTitle] = useState(snippet?.title ?? "");
  const [content, setContent] = useState(snippet?.content ?? text);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isFilled = title.trim() !== "" && content.trim() !== "";
  const save = async () => {
    if (!isFilled || isBusy) return;
    setBusy(true);
    setProblem("");
    try {
      if (snippet) await api.patch(`/saved_snippets/${snippet.id}`, { title, content });
      else await api.post("/saved_snippets", { title, content });
    } catch (error) {
      setProblem(reasonOf(error));
      return setBusy(false);
    }
    showToast({ text: t("Snippet saved.") });
    onClose();
  };
  return (
    <Dialog
      title={snippet ? t("Change the snippet") : t("Save a snippet")}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" busy={isBusy} disabled={!isFilled}>
            {t("Save")}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <TextField label={t("Title|of a snippet")} value={title} maxLength={maxTitle} onChange={setTitle} />
        <TextArea
          label={t("Text|of a snippet")}
          rows={6}
          value={content}
          maxLength={maxLength}
          onChange={setContent}
          error={problem}
        />
      </div>
    </Dialog>
  );
}
