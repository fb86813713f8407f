// Which panes are on screen. Narrow windows show one at a time.
import { flushSync } from "react-dom";
import { createStore } from "./observable.ts";

/** Whether a narrow window shows the sidebar rather than the view. */
export const showSidebar = createStore(false);

const key = "panel";

/** Whether the panel fits next to the view; otherwise it covers the view. */
export function isWide(): boolean {
  return matchMedia("(min-width: 1100px)").matches;
}

/** Whether the panel with the conversation's people and details is open. Wide windows remember it. */
export const showPanel = createStore(isWide() && localStorage.getItem(key) === "open");

const narrowWindow = matchMedia("(max-width: 719px)");

/** Whether the window shows one pane at a time. */
export const narrow = createStore(narrowWindow.matches);
narrowWindow.addEventListener("change", ({ matches }) => narrow.set(matches));

export function togglePanel(): void {
  const hasFocus = document.querySelector("#panel:focus-within") !== null;
  if (showPanel.get() && hasFocus) closePanel();
  else setPanel(!showPanel.get());
}

/** Closes it, and gives the focus to the button that opens it. */
export function closePanel(): void {
  // The button cannot take the focus before the view that the panel covers is drawn again.
  flushSync(() => setPanel(false));
  document.querySelector<HTMLElement>("[data-panel-button]")?.focus();
}

export function setPanel(isOpen: boolean): void {
  showPanel.set(isOpen);
  if (isWide()) localStorage.setItem(key, isOpen ? "open" : "closed");
}
