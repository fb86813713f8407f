// Which inputs of the terminal reach the controller.
import type { Controller } from "./controller/controller.ts";
import { isTooSmall, type Size } from "./layout.ts";
import type { Input } from "./terminal/input.ts";
import type { InkScreen } from "./terminal/screen.tsx";

/** While the window is too small, no key may act without a visible effect. */
export function inputTo(
  controller: Controller,
  input: Input,
  { size, targetAt }: { size: Size; targetAt: InkScreen["targetAt"] },
): void {
  if (isTooSmall(size) && !(input.kind === "key" && input.name === "ctrl+c")) return;
  if (input.kind === "key") controller.press(input.name);
  else if (input.kind === "text") controller.press(input.text, true);
  else if (input.kind === "paste") controller.paste(input.text);
  else if (input.kind === "mouse") {
    const target = targetAt(input.x, input.y);
    if (target) controller.point({ action: input.action, target });
  }
}
