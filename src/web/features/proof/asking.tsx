// Asks the person to show that it is them when the server demands it, so that the request can be sent again.
import { Suspense } from "react";
import { createStore, useStore } from "../../lib/observable.ts";
import { lazyView } from "../../ui/on-demand.tsx";

const asked = createStore<((isProved: boolean) => void) | null>(null);

/** Resolves with whether the person has shown it. Requests that are refused at the same time share one question. */
export function askForProof(): Promise<boolean> {
  const waiting = asked.get();
  return new Promise((resolve) => {
    asked.set((isProved) => {
      waiting?.(isProved);
      resolve(isProved);
    });
  });
}

function finish(isProved: boolean): void {
  const waiting = asked.get();
  asked.set(null);
  waiting?.(isProved);
}

const ProofDialog = lazyView(async () => (await import("./proof-dialog.tsx")).ProofDialog);

/** Mount it once. */
export function ProofQuestion() {
  if (!useStore(asked)) return null;
  return (
    <Suspense fallback={null}>
      <ProofDialog onDone={finish} />
    </Suspense>
  );
}
