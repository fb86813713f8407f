import { lazy, Suspense } from "react";
import { useValue } from "../../lib/watched.ts";
import { newMessage } from "./answering.ts";

const NewMessage = lazy(() =>
  import("./new-message.tsx").then(({ NewMessage: dialog }) => ({ default: dialog })),
);

/** Mount it once. */
export function NewMessages() {
  const open = useValue(newMessage);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <NewMessage {...open} />
    </Suspense>
  );
}
