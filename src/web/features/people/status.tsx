// The dialog for the person's own status.
import { lazy, Suspense } from "react";
import { useValue, watched } from "../../lib/watched.ts";

const isOpen = watched(false);

export function openStatusDialog(): void {
  isOpen.set(true);
}

const Dialog = lazy(() => import("./status-dialog.tsx").then(({ StatusDialog: it }) => ({ default: it })));

/** Mount it once. */
export function StatusDialogs() {
  if (!useValue(isOpen)) return null;
  return (
    <Suspense fallback={null}>
      <Dialog onClose={() => isOpen.set(false)} />
    </Suspense>
  );
}
