// Delays sending by some seconds, if the person wants that, so that they can undo it.
import { showToast } from "../ui/toasts.tsx";

const key = "hold seconds";

/** How long this device delays messages, in seconds; 0 sends at once. */
export function holdSeconds(): number {
  return Number(localStorage.getItem(key) ?? 0);
}

export function setHoldSeconds(seconds: number): void {
  localStorage.setItem(key, String(seconds));
}

/** Calls `send` after the delay or when the page closes, or `takeBack` if the person undoes it. */
export function holdBack(send: () => void, takeBack: () => void): void {
  const seconds = holdSeconds();
  if (seconds <= 0) {
    send();
    return;
  }
  const finish = (then: () => void) => {
    clearTimeout(timer);
    removeEventListener("pagehide", leave);
    dismiss();
    then();
  };
  const leave = () => finish(send);
  const timer = setTimeout(leave, seconds * 1000);
  addEventListener("pagehide", leave);
  const dismiss = showToast({
    text: `Sending in ${seconds} seconds`,
    milliseconds: seconds * 1000,
    action: { label: "Undo", run: () => finish(takeBack) },
  });
}
