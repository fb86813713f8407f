// Goes to the person's own new message, and to the one that they begin to edit.
import { type RefObject, useEffect, useRef } from "react";
import { mayPass } from "../../api/request.ts";
import { useLatest } from "../../lib/use-latest.ts";
import type { Term } from "../../state/narrows.ts";
import { showFailure } from "../../ui/toasts.tsx";
import { editedMessage, offerFeed } from "../compose/editing.ts";
import type { ListedLine } from "./rows.ts";
import type { ScrollPlace } from "./scroll-anchor.ts";

interface OwnMessagesOptions {
  terms: readonly Term[];
  scroller: RefObject<HTMLDivElement | null>;
  lines: readonly ListedLine[];
  hold: (place: ScrollPlace) => void;
  /** Goes to the end; fetches it, if it is not known, and rejects if that fails. */
  toEnd: () => Promise<void>;
}

export function useOwnMessages({ terms, scroller, lines, hold, toEnd }: OwnMessagesOptions): void {
  const last = lines.at(-1);
  const sent = last && "outgoing" in last ? last.key : null;
  const follow = useLatest(toEnd);
  useEffect(() => {
    // Without a connection, the message itself says that it waits, and the banner why.
    if (sent !== null) follow.current().catch((error) => mayPass(error) || showFailure(error));
  }, [sent, follow]);

  const sought = useRef<number | null>(null);
  const showSought = useLatest(() => {
    const line = lines.find((one) => "message" in one && one.message.id === sought.current);
    if (!line) return;
    const editor = `[data-message="${sought.current}"] textarea`;
    sought.current = null;
    hold({ key: line.key, at: "nearest" });
    // An editor that is drawn later takes the focus itself.
    scroller.current?.querySelector<HTMLElement>(editor)?.focus({ preventScroll: true });
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
