import { useEffect, useState } from "react";
import { useClient } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { MessageHtml } from "../../ui/content/message-html.tsx";
import { useReader } from "../../ui/content/reader.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import css from "./composer.module.css";
import { renderMarkdown } from "./uploads.ts";

/** The text as the server would render it. */
export function Preview({ text }: { text: string }) {
  const { api } = useClient();
  const reader = useReader();
  const [shown, setShown] = useState<{ html: string } | { problem: string } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const set = (next: { html: string } | { problem: string }) => {
      if (isCurrent) setShown(next);
    };
    renderMarkdown(api, text).then(
      (html) => set({ html }),
      (error: unknown) => set({ problem: reasonOf(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, text]);
  return (
    <section className={css.preview} aria-label={t("Preview")} aria-live="polite">
      {shown === null ? <Skeleton lines={2} /> : null}
      {shown && "html" in shown ? <MessageHtml html={shown.html} reader={reader} /> : null}
      {shown && "problem" in shown ? <p>{shown.problem}</p> : null}
    </section>
  );
}
