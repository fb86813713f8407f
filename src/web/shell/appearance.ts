// How the person wants the client to look: colours, size of the text, motion.
import { useLayoutEffect } from "react";
import { useSelect } from "../api/client.ts";
import type { UserSettings } from "../state/settings.ts";

const schemes = { 2: "dark", 3: "light" } as const;

export function useAppearance(): void {
  const settings = useSelect((state) => state.user_settings);
  useLayoutEffect(() => applyAppearance(settings), [settings]);
}

let shown: readonly unknown[] = [];

/** Call it before the first render: later, each change makes the browser recompute the styles of the whole page. */
export function applyAppearance(settings: UserSettings): void {
  const { color_scheme, web_font_size_px, web_line_height_percent, high_contrast_mode, emojiset } = settings;
  const { fluid_layout_width } = settings;
  const wanted = [
    color_scheme,
    web_font_size_px,
    web_line_height_percent,
    high_contrast_mode,
    fluid_layout_width,
    emojiset,
  ];
  if (shown.length > 0 && wanted.every((one, i) => one === shown[i])) return;
  shown = wanted;
  const root = document.documentElement;
  if (color_scheme === 1) delete root.dataset.theme;
  else root.dataset.theme = schemes[color_scheme];
  root.dataset.density = localStorage.getItem("density") ?? "normal";
  root.dataset.emoji = String(emojiset);
  root.dataset.width = fluid_layout_width ? "whole" : "normal";
  root.dataset.contrast = high_contrast_mode ? "more" : "normal";
  // 16 and 140 are the server's defaults; the design shows them as 15 px and 1.5.
  root.style.fontSize = `${(93.75 * web_font_size_px) / 16}%`;
  root.style.setProperty("--line", String((1.5 * web_line_height_percent) / 140));
}
