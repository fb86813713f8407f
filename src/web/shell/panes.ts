// Which panes are on screen. In narrow windows it is one at a time.
import { watched } from "../state/watched.ts";

/** Whether a narrow window shows the sidebar rather than the view. */
export const showSidebar = watched(false);

const key = "panel";

/** Whether the panel has a place of its own beside the view; elsewhere it lies over it. */
export function isWide(): boolean {
  return matchMedia("(min-width: 1100px)").matches;
}

/** Whether people and facts of the conversation stand beside it. A wide window remembers it. */
export const showPanel = watched(isWide() && localStorage.getItem(key) === "open");

export function togglePanel(): void {
  setPanel(!showPanel.get());
}

export function setPanel(isOpen: boolean): void {
  showPanel.set(isOpen);
  if (isWide()) localStorage.setItem(key, isOpen ? "open" : "closed");
}
