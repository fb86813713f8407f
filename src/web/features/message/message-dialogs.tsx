// Dialogs about one message, opened from its menu by `openMessageDialog`.
import { useRef } from "react";
import { useSelect } from "../../api/client.ts";
import { createStore, useStore } from "../../lib/observable.ts";
import type { Message } from "../../state/messages.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import type { MessageDialog } from "./dialog-props.ts";

const opened = createStore<{ dialog: MessageDialog; messageId: number } | null>(null);

export function openMessageDialog(dialog: MessageDialog, messageId: number): void {
  opened.set({ dialog, messageId });
}

const Dialogs = onDemand(async () => (await import("./dialogs.tsx")).Dialogs);

/** Mount it once. */
export function MessageDialogs() {
  const open = useStore(opened);
  const current = useSelect((state) => (open ? state.messages[open.messageId] : undefined));
  // A message that is deleted meanwhile takes no dialog from under the person's hand.
  const known = useRef<Message>(undefined);
  if (current) known.current = current;
  const message = known.current;
  if (!open || message?.id !== open.messageId) return null;
  return <Dialogs dialog={open.dialog} message={message} onClose={() => opened.set(null)} />;
}
