import { useEffect, useRef, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import { placeOf } from "../../state/places.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { editedMessage, unsavedEdits } from "../compose/editing.ts";
import { sourceOf } from "../compose/insertion.ts";
import { Toolbar } from "../compose/toolbar.tsx";
import { UploadList } from "../compose/upload-list.tsx";
import { useUploads } from "../compose/use-uploads.ts";
import { WritingArea } from "../compose/writing-area.tsx";
import css from "./message-editor.module.css";

/** Replaces a message's text while it is edited. */
export function MessageEditor({ message }: { message: Message }) {
  const client = useClient();
  const area = useRef<HTMLTextAreaElement>(null);
  const { id } = message;
  const [kept] = useState(() => unsavedEdits.get(id));
  const [source, setSource] = useState<string | null>(kept?.source ?? null);
  const [text, setText] = useState(kept?.text ?? "");
  const latest = useRef(text);
  latest.current = text;
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const uploads = useUploads(area);
  const self = useSelect((state) => state.self.user_id);
  const enterSends = useSelect((state) => state.user_settings.enter_sends);
  const maxLength = useSelect((state) => state.organization.max_message_length);

  useEffect(() => {
    if (kept) return;
    sourceOf(client, id).then(
      (markdown) => {
        setSource(markdown);
        setText(markdown);
      },
      (error: unknown) => setProblem(reasonOf(error)),
    );
  }, [client, id, kept]);
  const isLoaded = source !== null;
  useEffect(() => {
    const field = area.current;
    if (!isLoaded || !field) return;
    // The feed keeps the row in sight.
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
  }, [isLoaded]);

  const change = (next: string) => {
    setText(next);
    unsavedEdits.set(id, { source: source ?? "", text: next });
  };
  const close = () => {
    unsavedEdits.delete(id);
    // Since the edit was sent, the person may have begun another.
    if (editedMessage.get() !== id) return;
    editedMessage.set(null);
    document.querySelector<HTMLElement>("form textarea[data-composer]")?.focus();
  };
  const save = async () => {
    if (isBusy) return;
    if (text === source) return close();
    if (uploads.isUnderWay) return setProblem(t("Files are still being uploaded."));
    setBusy(true);
    try {
      await client.api.patch(`/messages/${id}`, {
        content: text,
        prev_content_sha256: await sha256(source ?? ""),
      });
      if (latest.current === text) return close();
      // The person has continued writing.
      setSource(text);
      unsavedEdits.set(id, { source: text, text: latest.current });
      setBusy(false);
    } catch (error) {
      setProblem(reasonOf(error));
      setBusy(false);
    }
  };

  return (
    <section className={css.editor} aria-label={t("Edit message")}>
      {source === null && problem === "" ? <Skeleton lines={1} /> : null}
      {source !== null ? (
        <WritingArea
          area={area}
          label={t("Edit message")}
          place={placeOf(message, self)}
          value={text}
          maxLength={maxLength}
          enterSends={enterSends}
          onChange={change}
          onSend={() => void save()}
          onFiles={uploads.add}
          onKey={({ key }) => {
            if (key === "Escape") close();
            return key === "Escape";
          }}
        />
      ) : null}
      <UploadList of={uploads} />
      {problem ? (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <div className={css.foot}>
        <Toolbar area={area} onFiles={uploads.add} />
        <Button size="small" look="quiet" onClick={close}>
          {t("Cancel")}
        </Button>
        <Button size="small" look="primary" busy={isBusy} onClick={() => void save()}>
          {t("Save")}
        </Button>
      </div>
    </section>
  );
}

/** The hash of the text that the edit is based on; null over plain HTTP, where browsers have no API for hashes. */
async function sha256(text: string): Promise<string | undefined> {
  if (!globalThis.crypto.subtle) return undefined;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
