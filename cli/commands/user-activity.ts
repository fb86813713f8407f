// When users were last active, as commands print and ask for it.
import { z } from "zod";
import { permissionErrors } from "@/foundation/permissions/schema.ts";
import { lastActiveDays } from "@/foundation/user-activity/queries.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail, isError } from "@/kernel/lib/errors.ts";
import { option } from "../args.ts";

const daySeconds = 86_400;
const form = "days such as 90d, or a date such as 2026-01-31";

/** A day as typed: a date, or a number of days before today. */
const pastDay = z
  .string()
  .refine((text) => /^[1-9]\d{0,4}d$/.test(text) || z.iso.date().safeParse(text).success, form);

/** Who was not active since then; who joined since then is left out, too. */
export const inactiveSince = option("DAYS|DATE", pastDay.optional(), `not active since: ${form}`);

/** The last day with activity, as a date; null if there was none. */
export const lastActive = z.string().nullable();

const textOfDay = (day: number) => new Date(day * daySeconds * 1000).toISOString().slice(0, 10);

/** The last active day of any user as a date, for administrators; null for others. */
export function lastActiveDates(ctx: Ctx): ((userId: number) => string | null) | null {
  try {
    const days = lastActiveDays(ctx);
    // Of thousands of users, because many share few days.
    const texts = new Map([...new Set(days.values())].map((day) => [day, textOfDay(day)]));
    return (userId) => texts.get(days.get(userId) ?? -1) ?? null;
  } catch (error) {
    if (isError(error, permissionErrors.UNAUTHORIZED_PRINCIPAL)) return null;
    throw error;
  }
}

/** Returns who was not active since the day that was typed. */
export function inactive(
  ctx: Ctx,
  since: string,
): (user: { user_id: number; date_joined: string }) => boolean {
  const today = Math.floor(ctx.now / daySeconds);
  const day = since.endsWith("d") ? today - Number(since.slice(0, -1)) : dayIn(since);
  if (day > today) fail("BAD_REQUEST", `--inactive-since: ${since} is in the future.`);
  const days = lastActiveDays(ctx);
  return ({ user_id, date_joined }) => Math.max(days.get(user_id) ?? 0, dayIn(date_joined)) < day;
}

const dayIn = (time: string) => Math.floor(Date.parse(time) / 1000 / daySeconds);
