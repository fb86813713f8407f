// Dialogs about one message, opened from its menu by `openMessageDialog`.
import { lazy, Suspense } from "react";
import { useSelect, useValue } from "../client.ts";
import { watched } from "../state/watched.ts";
import type { MessageDialog } from "./dialog-props.ts";

const opened = watched<{ dialog: MessageDialog; messageId: number } | null>(null);

export function openMessageDialog(dialog: MessageDialog, messageId: number): void {
  opened.set({ dialog, messageId });
}

const Dialogs = lazy(() =>
  import("./dialogs.tsx").then(({ Dialogs: component }) => ({ default: component })),
);

/** Mount it once. */
export function MessageDialogs() {
  const open = useValue(opened);
  const message = useSelect((state) => (open ? state.messages[open.messageId] : undefined));
  if (!open || !message) return null;
  return (
    <Suspense fallback={null}>
      <Dialogs dialog={open.dialog} message={message} onClose={() => opened.set(null)} />
    </Suspense>
  );
}
