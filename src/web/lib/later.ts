// Times to choose from for scheduled messages and reminders.
import { locale, t } from "./texts.ts";
import { hoursFor } from "./times.ts";

export interface LaterTime {
  label: string;
  time: Date;
}

/** The times in order, without those in the past or too soon. */
export function laterTimes(now: Date): LaterTime[] {
  const at = (days: number, hours: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, 0);
  const toMonday = (8 - now.getDay()) % 7 || 7;
  const candidates: LaterTime[] = [
    { label: t("In an hour"), time: new Date(Math.ceil((now.getTime() + 3_600_000) / 300_000) * 300_000) },
    { label: t("This afternoon"), time: at(0, 14) },
    { label: t("Tonight"), time: at(0, 20) },
    { label: t("Tomorrow morning"), time: at(1, 9) },
    { label: t("On Monday morning"), time: at(toMonday, 9) },
  ];
  const soonest = now.getTime() + 20 * 60_000;
  const possible = candidates.filter(({ time }) => time.getTime() > soonest);
  const distinct = possible.filter(({ time }, at) => possible.findIndex((one) => +one.time === +time) === at);
  return distinct.sort((a, b) => a.time.getTime() - b.time.getTime());
}

/** "Mon 9:00", with the day where it is not today. */
export function formatTime(time: Date, isTwentyFour: boolean): string {
  const clock = { hour: "numeric", minute: "2-digit", ...hoursFor(isTwentyFour) } as const;
  const isToday = time.toDateString() === new Date().toDateString();
  if (isToday) return time.toLocaleTimeString(locale, clock);
  return time.toLocaleString(locale, { weekday: "short", month: "short", day: "numeric", ...clock });
}

/** The form of `<input type="datetime-local">`. */
export function localInput(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
