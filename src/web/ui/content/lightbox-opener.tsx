// Opens pictures and videos over the page. The viewer's code is fetched when it is first needed.
import { lazy, Suspense } from "react";
import { createStore, useStore } from "../../lib/observable.ts";
import type { MediaItem } from "./behaviours.ts";

const shown = createStore<{ items: readonly MediaItem[]; at: number } | null>(null);

export function openLightbox(item: MediaItem, items: readonly MediaItem[]): void {
  shown.set({
    items,
    at: Math.max(
      0,
      items.findIndex(({ href }) => href === item.href),
    ),
  });
}

const Viewer = lazy(() => import("./viewer.tsx").then(({ Viewer: component }) => ({ default: component })));

/** Mount it once. */
export function Lightbox() {
  const open = useStore(shown);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <Viewer
        items={open.items}
        at={open.at}
        onMove={(at) => shown.set({ ...open, at })}
        onClose={() => shown.set(null)}
      />
    </Suspense>
  );
}
