import { memo, useLayoutEffect, useRef } from "react";
import { classes } from "../../lib/classes.ts";
import { nameEmoji } from "../emoji/local-names.ts";
import { importOnce } from "../on-demand.tsx";
import "./content.css";
import { type ContentReader, enhance, rightToLeft } from "./enhance.ts";
import { trustHtml } from "./trusted-html.ts";

export interface MessageHtmlProps {
  /** As the server rendered it. */
  html: string;
  reader: ContentReader;
  className?: string | undefined;
}

const loadFormulas = importOnce(() => import("./formulas.ts"));

/** HTML in which `enhance` has nothing to change: most messages. */
const isPlain = /^(?:[^<]|<\/?(?:p|strong|em|del|code|br|ul|ol|li|blockquote)>)*$/;

/** The content of a message. The parent handles clicks by `useContentActions`. */
export const MessageHtml = memo(function MessageHtml({ html, reader, className }: MessageHtmlProps) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = root;
    if (!current) return;
    current.innerHTML = trustHtml(html);
    if (isPlain.test(html) && reader.alertWords.length === 0 && !rightToLeft.test(html)) {
      current.classList.remove("only-emoji");
      return;
    }
    enhance(current, reader);
    const emoji = current.querySelectorAll<HTMLElement>("span.emoji");
    if (emoji.length > 0) nameEmoji(emoji, reader.emojiData).catch(() => {});
    if (current.querySelector(".katex")) void loadFormulas();
  }, [html, reader]);
  return <div ref={root} className={classes("message-content", className)} dir="auto" />;
});
