import { z } from "zod";

/** A time zone's IANA name: a place or UTC, but not an offset such as `+05:00`. */
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
