import { z } from "zod";
import { countText } from "@/kernel/lib/wording.ts";
import { setting, settings } from "@/kernel/store/settings.ts";

/** How long a retention that was shortened waits until it deletes, in seconds. */
export const graceOfRetention = 86_400;

/** A number of days; negative for ever. */
export function isShorter(days: number, than: number): boolean {
  return days >= 0 && (than < 0 || days < than);
}

export function longerOf(a: number, b: number): number {
  return isShorter(a, b) ? b : a;
}

/** What a sweep has deleted, by the names of its places. */
const swept = z.object({ messages: z.int(), files: z.int(), places: z.record(z.string(), z.int()) });
export type Swept = z.infer<typeof swept>;

/** What a shorter retention would delete. `files` are those that no other message links to: they stay with their owners. */
export const expiring = z.object({
  messages: z.int(),
  files: z.int(),
  /** When the oldest of the messages was sent, in UNIX seconds. */
  oldest: z.int().nullable(),
});
export type Expiring = z.infer<typeof expiring>;

/** What deletes later than it is set to. Times are UNIX seconds. */
export const retentionWaits = z.object({
  /** Until when nothing is deleted because much may have come at once: by an import, or from a backup. */
  paused_until: z.int().nullable(),
  /** Places that were given a shorter time, and are kept for longer until `until`; `stream_id` is null for the organization. */
  holds: z.array(z.object({ stream_id: z.int().nullable(), days: z.int(), until: z.int() })),
});
export type RetentionWaits = z.infer<typeof retentionWaits>;

export const retentionState = settings("retention", {
  released_at: setting(z.int(), 0, "When the owner last asked to delete without waiting, in UNIX seconds"),
  swept: setting(swept.nullable(), null, "What the sweep that is under way has deleted so far"),
});

/** What a shorter retention deletes, and when, as a sentence before a question. */
export function warningOf(
  { messages, files }: Pick<Expiring, "messages" | "files">,
  { place, days, now }: Shortening,
): string {
  const what = countText(messages, "message");
  const left =
    files === 0
      ? ""
      : ` ${countText(files, "file is", "files are")} linked from no other message: afterwards, only who uploaded ${files === 1 ? "it" : "them"} can open ${files === 1 ? "it" : "them"}.`;
  const when = now
    ? "The next sweep, within an hour, deletes them for good."
    : "They are deleted in a day; until then, a longer time keeps them.";
  return `${what} in ${place} ${messages === 1 ? "is" : "are"} older than ${countText(days, "day")}.${left} ${when}`;
}

export interface Shortening {
  place: string;
  /** The days that are set. */
  days: number;
  /** Whether the owner does not want to wait. */
  now: boolean;
}
