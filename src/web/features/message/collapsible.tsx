import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useClient } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import { Button } from "../../ui/button.tsx";
import css from "./collapsible.module.css";

/** A taller message shows only its beginning until the person opens it. */
const maxHeight = 640;
/** The texts of messages that the person opened, so that scrolling away and back leaves them open. */
const opened = new Set<number>();

/** Guesses whether a message may be that tall: measuring each one would force a layout of the page each time. */
function mayBeLong(html: string): boolean {
  const lines = html.match(/\n|<(?:br|p|li|tr|h\d)\b/g)?.length ?? 0;
  const pictures = html.match(/<(?:img|video|iframe)\b|katex-display/g)?.length ?? 0;
  return html.length / 40 + lines + pictures * 12 > 20;
}

export function Collapsible({ message, children }: { message: Message; children: ReactNode }) {
  const { flagging } = useClient();
  const inner = useRef<HTMLDivElement>(null);
  const [isLong, setLong] = useState(false);
  const [isOpen, setOpen] = useState(opened.has(message.id));
  const { content } = message;
  const isCollapsed = message.flags.includes("collapsed");

  useLayoutEffect(() => {
    if (opened.has(message.id) || !mayBeLong(content)) return;
    if (inner.current) setLong(inner.current.scrollHeight > maxHeight + 80);
  }, [message.id, content]);

  if (isCollapsed) {
    return (
      <Button look="quiet" size="small" onClick={() => void flagging.collapse(message.id, false)}>
        {t("Collapsed message: show it")}
      </Button>
    );
  }
  const toggle = () => {
    if (isOpen) opened.delete(message.id);
    else opened.add(message.id);
    setOpen(!isOpen);
  };
  return (
    <>
      <div ref={inner} className={classes(isLong && !isOpen && css.cut)}>
        {children}
      </div>
      {isLong ? (
        <Button look="quiet" size="small" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? t("Show less") : t("Show all")}
        </Button>
      ) : null}
    </>
  );
}
