// Keys as people read them, by the names that their language gives them: "Ctrl K", in German "Strg K".
import { t } from "./texts.ts";

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

const names: Readonly<Record<string, string>> = {
  $mod: isMac ? "⌘" : t("Ctrl"),
  Alt: isMac ? "⌥" : "Alt",
  Shift: t("Shift"),
  Enter: t("Enter"),
  Escape: t("Esc"),
  Space: t("Space|key"),
  Home: t("Home|key"),
  End: t("End|key"),
  PageDown: t("Page Down"),
  PageUp: t("Page Up"),
  ArrowDown: "↓",
  ArrowUp: "↑",
};

/** Keys as tinykeys writes them, such as "$mod+k"; what Shift makes of a key stands for itself: "?". */
export function formatKeys(keys: string): string {
  const parts = /^(Shift\+)?\+$/.test(keys)
    ? ["+"]
    : /^Shift\+[?>:]$/.test(keys)
      ? [keys.slice(-1)]
      : keys.split("+");
  return parts.map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(" ");
}
