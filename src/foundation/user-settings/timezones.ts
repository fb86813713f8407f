import { z } from "zod";

/** A time zone by its IANA name: of a place, or UTC; offsets such as `+05:00` are none. */
export const timezoneName = z
  .string()
  .max(100, "There is no such time zone.")
  .refine(
    (name) => /^[A-Z][\w+-]*(\/[A-Z0-9][\w+-]*)*$/.test(name) && isKnown(name),
    "There is no such time zone.",
  );

function isKnown(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
