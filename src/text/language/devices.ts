import type { Translator } from "./translator.ts";

/** What people read where the server says "Firefox on Linux", or calls a program by one word of its own. */
export function nameDevice(t: Translator["t"], device: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(device) ?? [];
  if (browser !== undefined && system !== undefined) return t("{browser} on {system}", { browser, system });
  return device === "Unknown device" ? t("Unknown device") : device;
}
