// The dialog for the person's own status.
import { lazy, Suspense } from "react";
import { createStore, useStore } from "../../lib/observable.ts";

const isOpen = createStore(false);

export function openStatusDialog(): void {
  isOpen.set(true);
}

const Dialog = lazy(() => import("./status-dialog.tsx").then(({ StatusDialog: it }) => ({ default: it })));

/** Mount it once. */
export function StatusDialogs() {
  if (!useStore(isOpen)) return null;
  return (
    <Suspense fallback={null}>
      <Dialog onClose={() => isOpen.set(false)} />
    </Suspense>
  );
}
