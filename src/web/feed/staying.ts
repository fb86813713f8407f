// Keeps the scroll position when the feed's size changes: at the end, if it was there. Shows the person's own new message, and
// the one that they begin to edit.
import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import { editedMessage, offerFeed } from "../compose/editing.ts";
import { useLatest } from "../shell/use-latest.ts";
import type { Term } from "../state/message-shape.ts";
import type { Line } from "./rows.ts";

interface Staying {
  terms: readonly Term[];
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  scroller: RefObject<HTMLDivElement | null>;
  lines: readonly Line[];
  /** Scrolls to the end; fetches it, if it is not known. */
  toEnd: () => Promise<void>;
}

const near = 24;

export function useStaying({ terms, virtualizer, scroller, lines, toEnd }: Staying): void {
  const isAtEnd = useRef(false);
  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const note = () => {
      isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < near;
    };
    // The composer grows while the person types, and banners appear and disappear.
    const sizes = new ResizeObserver(() => {
      if (isAtEnd.current) virtualizer.scrollToEnd();
    });
    current.addEventListener("scroll", note, { passive: true });
    sizes.observe(current);
    return () => {
      current.removeEventListener("scroll", note);
      sizes.disconnect();
    };
  }, [scroller, virtualizer]);

  const last = lines.at(-1);
  const sent = last && "outgoing" in last ? last.key : null;
  const follow = useLatest(toEnd);
  useEffect(() => {
    if (sent !== null) void follow.current();
  }, [sent, follow]);

  const sought = useRef<number | null>(null);
  const showSought = useLatest(() => {
    const index = lines.findIndex((line) => "message" in line && line.message.id === sought.current);
    if (index < 0) return;
    const editor = `[data-message="${sought.current}"] textarea`;
    sought.current = null;
    virtualizer.scrollToIndex(index, { align: "auto" });
    // An editor that is drawn later takes the focus itself.
    scroller.current?.querySelector<HTMLElement>(editor)?.focus();
  });
  useEffect(
    () =>
      editedMessage.subscribe(() => {
        sought.current = editedMessage.get();
        showSought.current();
      }),
    [showSought],
  );
  // Perhaps the message has just arrived, and has no line before this render.
  useEffect(() => {
    if (sought.current !== null && lines.length > 0) showSought.current();
  }, [lines, showSought]);
  useEffect(() => offerFeed(terms), [terms]);
}
