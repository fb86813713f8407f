// Formats times for people. All times are UNIX seconds.
import { language, locale, t } from "./texts.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, known);
  return known;
}

const dateOf = (timestamp: number) => new Date(timestamp * 1000);

/** 24 hours for who chose them; otherwise as the language counts: "2:05 PM" in English, "14:05" in German. */
export const hoursFor = (isTwentyFour: boolean) => (isTwentyFour ? ({ hourCycle: "h23" } as const) : {});

/** "14:05" or "2:05 PM". */
export function clockTime(timestamp: number, isTwentyFour: boolean): string {
  const hours = { hour: isTwentyFour ? "2-digit" : "numeric", ...hoursFor(isTwentyFour) } as const;
  return format({ ...hours, minute: "2-digit" }).format(dateOf(timestamp));
}

/** "Sunday, 22 November 2026 at 14:05", for tooltips and screen readers. */
export function fullTime(timestamp: number, isTwentyFour: boolean): string {
  const day = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
  return t("{day}, {time}", {
    day: day.format(dateOf(timestamp)),
    time: clockTime(timestamp, isTwentyFour),
  });
}

/** "2026-11-20": the day where the person is. */
export function localDay(timestamp: number): string {
  const day = dateOf(timestamp);
  const [year, month, date] = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return [String(year).padStart(4, "0"), ...[month, date].map((part) => String(part).padStart(2, "0"))].join(
    "-",
  );
}

function daysAgo(timestamp: number, now: number): number {
  const midnight = (at: number) => dateOf(at).setHours(0, 0, 0, 0);
  return Math.round((midnight(now) - midnight(timestamp)) / 86_400_000);
}

/** "Today", "Yesterday", "Friday", "3 November", "3 November 2025". */
export function dayName(timestamp: number, now = Date.now() / 1000): string {
  const days = daysAgo(timestamp, now);
  if (days === 0) return t("Today");
  if (days === 1) return t("Yesterday");
  if (days > 1 && days < 7) return format({ weekday: "long" }).format(dateOf(timestamp));
  const isThisYear = dateOf(timestamp).getFullYear() === dateOf(now).getFullYear();
  return format({ day: "numeric", month: "long", ...(isThisYear ? {} : { year: "numeric" }) }).format(
    dateOf(timestamp),
  );
}

/** In Japanese, the short name is a single character, which means something else where it stands alone. */
const shortWeekday = { weekday: language.tag === "ja" ? "long" : "short" } as const;

/** A time to come: "14:05" today, "Tomorrow, 14:05", "Fri, 14:05", "3 Dec, 14:05". */
export function dueTime(timestamp: number, isTwentyFour: boolean, now = Date.now() / 1000): string {
  const clock = clockTime(timestamp, isTwentyFour);
  const days = -daysAgo(timestamp, now);
  if (days <= 0) return clock;
  if (days === 1) return t("Tomorrow, {time}", { time: clock });
  const isThisYear = dateOf(timestamp).getFullYear() === dateOf(now).getFullYear();
  const day =
    days < 7
      ? format(shortWeekday)
      : format({ day: "numeric", month: "short", ...(isThisYear ? {} : { year: "numeric" }) });
  return t("{day}, {time}", { day: day.format(dateOf(timestamp)), time: clock });
}

/** "14:05" today, "Yesterday", "Fri", "3 Nov": for lists. */
export function shortTime(timestamp: number, isTwentyFour: boolean, now = Date.now() / 1000): string {
  const days = daysAgo(timestamp, now);
  if (days <= 0) return clockTime(timestamp, isTwentyFour);
  if (days === 1) return t("Yesterday");
  if (days < 7) return format(shortWeekday).format(dateOf(timestamp));
  const isThisYear = dateOf(timestamp).getFullYear() === dateOf(now).getFullYear();
  return format({ day: "numeric", month: "short", ...(isThisYear ? {} : { year: "numeric" }) }).format(
    dateOf(timestamp),
  );
}

const units = [
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** "10 minutes", "1 hour", "90 minutes": in the largest unit without a remainder. */
export function duration(seconds: number): string {
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? (["second", 1] as const);
  const named = { style: "unit", unit, unitDisplay: "long", useGrouping: false } as const;
  return new Intl.NumberFormat(locale, named).format(seconds / length);
}
