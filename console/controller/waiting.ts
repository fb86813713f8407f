// Waiting for what a server elsewhere answers. Keys that are pressed meanwhile are held, and mean then what they would have meant.
import type { Later } from "../screen.ts";
import { sentenceOf } from "./rows.ts";
import { type Inside, positionOf } from "./state.ts";

/**
 * Goes on with a value as soon as it is here. One that comes from elsewhere is waited for, and dropped if Esc was pressed, or if the
 * row that it is about has gone meanwhile.
 */
export function whenHere<T>(inside: Inside, value: Later<T>, goOn: (value: T) => void): void {
  const { state } = inside;
  if (!(value instanceof Promise)) {
    goOn(value);
    return;
  }
  const placeNow = () => [state.at, state.scope, state.layers.at(-1), positionOf(state).selected];
  const place = placeNow();
  const held = { keys: state.held?.keys ?? [], mayEnd: true };
  state.held = held;
  const isStill = () => state.held === held && placeNow().every((part, i) => part === place[i]);
  void value
    .then(
      (found) => {
        if (isStill()) goOn(found);
      },
      (error) => {
        if (isStill()) state.notice = { text: sentenceOf(error), tone: "bad" };
      },
    )
    .finally(() => {
      if (state.held === held) release(inside);
      inside.notify();
    });
}

/** Holds keys until `release`. */
export function hold({ state }: Inside): void {
  state.held = { keys: state.held?.keys ?? [], mayEnd: false };
}

/** Presses the keys that were held, until they have to be held again. */
export function release({ state, press }: Inside): void {
  const keys = state.held?.keys ?? [];
  state.held = null;
  for (const [i, { key, isText }] of keys.entries()) {
    press(key, isText);
    if (state.held) {
      holdMore(state, keys.slice(i + 1));
      return;
    }
  }
}

function holdMore({ held }: Inside["state"], keys: NonNullable<Inside["state"]["held"]>["keys"]): void {
  held?.keys.push(...keys);
}
