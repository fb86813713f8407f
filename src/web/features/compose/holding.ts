// Delays sending by some seconds, if the person wants that, so that they can undo it.
import { t } from "../../lib/texts.ts";
import { type Place, type PlaceKey, placeKey } from "../../state/places.ts";
import { showToast } from "../../ui/toasts.tsx";

const key = "hold seconds";

/** How long this device delays messages, in seconds; 0 sends at once. */
export function holdSeconds(): number {
  return Number(localStorage.getItem(key)) || 0;
}

export function setHoldSeconds(seconds: number): void {
  localStorage.setItem(key, String(seconds));
}

interface Written {
  place: Place;
  text: string;
  send: () => void;
  /** Called if the person undoes it. */
  takeBack: () => void;
}

interface Held {
  place: PlaceKey;
  text: string;
  send: () => void;
  finish: (then: () => void) => void;
}

/** In the order in which they were written. */
const waiting: Held[] = [];

/** Sends a message after the delay or when the page closes, unless the person undoes it. */
export function holdBack({ place, text, send, takeBack }: Written): void {
  const seconds = holdSeconds();
  if (seconds <= 0) {
    send();
    return;
  }
  const finish = (then: () => void) => {
    clearTimeout(timer);
    removeEventListener("pagehide", leave);
    waiting.splice(waiting.indexOf(held), 1);
    dismiss();
    then();
  };
  const held: Held = { place: placeKey(place), text, send, finish };
  waiting.push(held);
  const leave = () => finish(send);
  const timer = setTimeout(leave, seconds * 1000);
  addEventListener("pagehide", leave);
  const dismiss = showToast({
    text: t("Sending in {seconds, plural, one {# second} other {# seconds}}", { seconds }),
    milliseconds: seconds * 1000,
    action: { label: t("Undo"), run: () => finish(takeBack) },
  });
}

/** Sends all messages that are held, at once. */
export function sendHeld(): void {
  for (const { finish, send } of [...waiting]) finish(send);
}

/** Undoes the newest message that is held for a conversation; returns its text, or null if none is. */
export function takeBackHeld(place: Place): string | null {
  const held = waiting.findLast((one) => one.place === placeKey(place));
  held?.finish(() => {});
  return held?.text ?? null;
}
