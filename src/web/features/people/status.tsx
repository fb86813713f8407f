// The dialog for the person's own status.
import { createStore, useStore } from "../../lib/observable.ts";
import { onDemand } from "../../ui/on-demand.tsx";

const isOpen = createStore(false);

export function openStatusDialog(): void {
  isOpen.set(true);
}

const Dialog = onDemand(async () => (await import("./status-dialog.tsx")).StatusDialog);

/** Mount it once. */
export function StatusDialogs() {
  if (!useStore(isOpen)) return null;
  return <Dialog onClose={() => isOpen.set(false)} />;
}
