import type { Translator } from "./translator.ts";

/** The name of a device, as sessions have it ("Firefox on Linux", "Unknown device", a program's own name), in another language. */
export function nameDevice(t: Translator["t"], device: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(device) ?? [];
  if (browser !== undefined && system !== undefined) return t("{browser} on {system}", { browser, system });
  return device === "Unknown device" ? t("Unknown device") : device;
}
