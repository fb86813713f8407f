import { z } from "zod";

/** The result of one check; `remedy` says what to do if something is wrong. */
export const finding = z.object({
  check: z.string(),
  verdict: z.enum(["well", "note", "warning", "problem"]),
  finding: z.string(),
  remedy: z.string().optional(),
});
export type Finding = z.infer<typeof finding>;

export const well = (check: string, finding: string): Finding => ({ check, verdict: "well", finding });

export function timeText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
