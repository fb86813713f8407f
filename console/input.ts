// Which inputs of the terminal reach the desk.
import type { Desk } from "./desk/desk.ts";
import { isTooSmall } from "./draw/frame.ts";
import type { Size } from "./layout.ts";
import type { Input } from "./terminal/input.ts";

/** While the window is too small, no key may act without a visible effect. */
export function inputTo(desk: Desk, input: Input, size: Size): void {
  if (isTooSmall(size) && !(input.kind === "key" && input.name === "ctrl+c")) return;
  if (input.kind === "key") desk.press(input.name);
  else if (input.kind === "text") desk.press(input.text, true);
  else if (input.kind === "paste") desk.paste(input.text);
  else if (input.kind === "mouse") desk.point(input);
}
