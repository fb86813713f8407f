import { lazy, Suspense } from "react";
import { useValue, watched } from "../../lib/watched.ts";

/** What the dialog that asks where a new message goes starts with; null while it is closed. */
export const newMessage = watched<{ channel?: number; toPeople?: boolean } | null>(null);

const NewMessage = lazy(() =>
  import("./new-message.tsx").then(({ NewMessage: dialog }) => ({ default: dialog })),
);

/** Mount it once. */
export function NewMessages() {
  const open = useValue(newMessage);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <NewMessage {...open} onClose={() => newMessage.set(null)} />
    </Suspense>
  );
}
