// Holds a message back for some seconds, if the person wants that, so that it can be taken back.
import { showToast } from "../ui/toasts.tsx";

const key = "hold seconds";

/** For how long messages are held on this device; 0 sends at once. */
export function holdSeconds(): number {
  return Number(localStorage.getItem(key) ?? 0);
}

export function setHoldSeconds(seconds: number): void {
  localStorage.setItem(key, String(seconds));
}

/** Calls `send` when the time is over or the page is left, and `takeBack` if the person wants the text back. */
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
