import { memo, useLayoutEffect, useRef } from "react";
import { classes } from "../ui/classes.ts";
import "./content.css";
import { enhance, type Reader } from "./enhance.ts";
import { trustedHtml } from "./trusted-html.ts";

export interface MessageHtmlProps {
  /** As the server rendered it. */
  html: string;
  reader: Reader;
  className?: string | undefined;
}

/** The content of a message. Whoever shows it handles presses by `useContentActions`. */
export const MessageHtml = memo(function MessageHtml({ html, reader, className }: MessageHtmlProps) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!root.current) return;
    root.current.innerHTML = trustedHtml(html);
    enhance(root.current, reader);
    if (root.current.querySelector(".katex")) void import("./formulas.ts");
  }, [html, reader]);
  return <div ref={root} className={classes("message-content", className)} />;
});
