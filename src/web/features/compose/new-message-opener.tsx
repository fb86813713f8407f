import { createStore, useStore } from "../../lib/observable.ts";
import { onDemand } from "../../ui/on-demand.tsx";

/** What the dialog that asks where a new message goes starts with; null while it is closed. */
export const newMessage = createStore<{ channel?: number; toPeople?: boolean } | null>(null);

const NewMessage = onDemand(async () => (await import("./new-message.tsx")).NewMessage);

/** Mount it once. */
export function NewMessages() {
  const open = useStore(newMessage);
  if (!open) return null;
  return <NewMessage {...open} onClose={() => newMessage.set(null)} />;
}
