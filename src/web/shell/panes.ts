// Which panes are on screen. Narrow windows show one at a time.
import { watched } from "../state/watched.ts";

/** Whether a narrow window shows the sidebar rather than the view. */
export const showSidebar = watched(false);

const key = "panel";

/** Whether the panel fits next to the view; otherwise it covers the view. */
export function isWide(): boolean {
  return matchMedia("(min-width: 1100px)").matches;
}

/** Whether the panel with the conversation's people and details is open. Wide windows remember it. */
export const showPanel = watched(isWide() && localStorage.getItem(key) === "open");

export function togglePanel(): void {
  setPanel(!showPanel.get());
}

export function setPanel(isOpen: boolean): void {
  showPanel.set(isOpen);
  if (isWide()) localStorage.setItem(key, isOpen ? "open" : "closed");
}
