// What the server measured over time, prepared for charts of a range.
import { listSamples } from "@/operations/metrics/queries.ts";
import {
  type MetricsHistory,
  type Sample,
  type SampleField,
  sampleFields,
} from "@/operations/metrics/schema.ts";
import type { ConsoleSession } from "./session.ts";

export const ranges = {
  "5 min": { seconds: 300, samples: "recent" },
  "1 h": { seconds: 3600, samples: "minutes" },
  "24 h": { seconds: 86_400, samples: "minutes" },
} as const;
export type Range = keyof typeof ranges;

const everyMs = 5000;

/** From the running server, or from the file that the last one left. */
export function historyNow(session: ConsoleSession): MetricsHistory | null {
  const found = session.sources.get("history", everyMs, async () => {
    const answer = await session.server.request("/metrics/history");
    if (answer?.ok) return (await answer.json()) as MetricsHistory;
    return listSamples(session.ctx());
  });
  return found.value;
}

export function rangeOf({ chosen }: ConsoleSession): Range {
  return (chosen.get("range") as Range | undefined) ?? "5 min";
}

export function nextRange(session: ConsoleSession): Range {
  const names = Object.keys(ranges) as Range[];
  const next = names[(names.indexOf(rangeOf(session)) + 1) % names.length] ?? "5 min";
  session.chosen.set("range", next);
  return next;
}

const at = (name: SampleField) => sampleFields.indexOf(name);
const counted: readonly SampleField[] = ["messages", "requests", "failed_logins"];

export interface SeriesRequest {
  field: SampleField;
  range: Range;
  /** UNIX seconds. */
  now: number;
  points: number;
}

/** A value for each point of the range, the last one for now; counts come by the minute, null where nothing was measured. */
export function valuesOf(
  history: MetricsHistory,
  { field, range, now, points }: SeriesRequest,
): (number | null)[] {
  const { seconds, samples } = ranges[range];
  const step = seconds / points;
  const sums = Array.from({ length: points }, () => ({ sum: 0, n: 0, most: 0 }));
  const all = history[samples];
  const usual = samples === "recent" ? 5 : 60;
  for (const [i, sample] of all.entries()) {
    const time = sample[0] ?? 0;
    const value = measure(sample, field, intervalOf(all[i - 1], time, usual));
    // A sample covers the time since the one before.
    const first = Math.floor((time - usual - (now - seconds)) / step);
    const last = Math.ceil((time - (now - seconds)) / step) - 1;
    for (let point = Math.max(0, first); point <= Math.min(points - 1, last); point++) {
      const into = sums[point];
      if (!into) continue;
      into.sum += value;
      into.n++;
      into.most = Math.max(into.most, value);
    }
  }
  const isPeak = field.endsWith("_p99");
  const values = sums.map(({ sum, n, most }) => (n === 0 ? null : isPeak ? most : sum / n));
  return bridgeGaps(values);
}

/** Up to three points without a sample repeat the one before, because samples come a little late. */
function bridgeGaps(values: readonly (number | null)[]): (number | null)[] {
  let last: number | null = null;
  let since = 0;
  return values.map((value) => {
    since = value === null ? since + 1 : 0;
    last = value ?? (since <= 3 ? last : null);
    return last;
  });
}

function intervalOf(before: Sample | undefined, time: number, usual: number): number {
  const since = before ? time - (before[0] ?? 0) : usual;
  return since > 0 && since < usual * 3 ? since : usual;
}

function measure(sample: Sample, field: SampleField, seconds: number): number {
  const value = sample[at(field)] ?? 0;
  return counted.includes(field) ? (value * 60) / seconds : value;
}
