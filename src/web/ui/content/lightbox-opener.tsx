// Opens pictures and videos over the page.
import { createStore, useStore } from "../../lib/observable.ts";
import { onDemand } from "../on-demand.tsx";
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

const Viewer = onDemand(async () => (await import("./viewer.tsx")).Viewer);

/** Mount it once. */
export function Lightbox() {
  const open = useStore(shown);
  if (!open) return null;
  return (
    <Viewer
      items={open.items}
      at={open.at}
      onMove={(at) => shown.set({ ...open, at })}
      onClose={() => shown.set(null)}
    />
  );
}
