import { lazy, Suspense } from "react";
import { createStore, useStore } from "../../lib/observable.ts";

/** What the dialog that asks where a new message goes starts with; null while it is closed. */
export const newMessage = createStore<{ channel?: number; toPeople?: boolean } | null>(null);

const NewMessage = lazy(() =>
  import("./new-message.tsx").then(({ NewMessage: dialog }) => ({ default: dialog })),
);

/** Mount it once. */
export function NewMessages() {
  const open = useStore(newMessage);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <NewMessage {...open} onClose={() => newMessage.set(null)} />
    </Suspense>
  );
}
