import { type Session, sessionLife } from "./schema.ts";
import type { SessionRow } from "./store.ts";

/** A session as its user sees it; `currentId` is that of the request. */
export function presentSession(row: SessionRow, currentId: number | null): Session {
  const { user_id: _, proved_at: __, ...shown } = row;
  const expires_at = Math.min(row.last_seen_at + sessionLife.idle, row.created_at + sessionLife.longest);
  return { ...shown, expires_at, is_current: row.id === currentId };
}

/** The order matters, because browsers also name those that they imitate. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bConfab\b/i, "Confab"],
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\b/, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const maxLength = 60;

/** Such as "Firefox on Linux"; for other programs, the first word of their User-Agent. */
export function deviceOf(userAgent: string | undefined): string {
  const said = (userAgent ?? "").slice(0, 512);
  const nameIn = (table: typeof browsers) => table.find(([pattern]) => pattern.test(said))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser && system) return `${browser} on ${system}`;
  const first = /^[\w.+-]+/.exec(said)?.[0].slice(0, maxLength);
  return browser ?? system ?? first ?? "Unknown device";
}
