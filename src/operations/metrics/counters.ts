// In-memory counters of a running server: requests and commits. /metrics returns them.

import type { Db } from "@/kernel/core/context.ts";
import type { Log, LogFields } from "@/kernel/lib/log.ts";
import { perApp } from "@/kernel/store/per-app.ts";

/** Upper bounds of histogram buckets, ascending; larger values only count in the total. */
const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;
/** Polls wait for an event, up to a minute or two. */
const pollBounds = [0.01, 0.05, 0.25, 1, 2.5, 5, 10, 20, 30, 45, 60, 90, 120] as const;
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;

export interface Histogram {
  readonly bounds: readonly number[];
  /** Number of values in each bucket, not cumulative. */
  readonly counts: number[];
  total: number;
  sum: number;
}

export interface Counters {
  /** Of all operations. */
  answered: number;
  /** By operation, then by status. */
  readonly requests: Map<string, Map<number, number>>;
  /** Seconds by operation, without event polls, which wait by design. */
  readonly durations: Map<string, Histogram>;
  /** Seconds of event polls. */
  readonly polls: Histogram;
  readonly commitSizes: Histogram;
}

const waiting = new Set(["get-events"]);

/** The counters of the process that has this database open. */
export function countersOf(db: Db): Counters {
  return counters({ db });
}

const counters = perApp(
  (): Counters => ({
    answered: 0,
    requests: new Map(),
    durations: new Map(),
    polls: histogram(pollBounds),
    commitSizes: histogram(sizeBounds),
  }),
);

function histogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: bounds.map(() => 0), total: 0, sum: 0 };
}

function observe(into: Histogram, value: number): void {
  const { bounds, counts } = into;
  let bucket = 0;
  while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
  if (bucket < bounds.length) counts[bucket] = (counts[bucket] ?? 0) + 1;
  into.total++;
  into.sum += value;
}

export function countCommit(counters: Counters, bodies: number): void {
  if (bodies > 0) observe(counters.commitSizes, bodies);
}

/** A log that also counts the requests it logs. */
export function countingLog(log: Log, counters: () => Counters): Log {
  return {
    ...log,
    info(event, fields) {
      if (event === "request" && fields) countRequest(counters(), fields);
      log.info(event, fields);
    },
  };
}

function countRequest(counters: Counters, { operation, status, ms }: LogFields): void {
  const { requests, durations, polls } = counters;
  counters.answered++;
  const name = String(operation);
  let byStatus = requests.get(name);
  if (!byStatus) {
    byStatus = new Map<number, number>();
    requests.set(name, byStatus);
  }
  byStatus.set(Number(status), (byStatus.get(Number(status)) ?? 0) + 1);
  if (typeof ms !== "number") return;
  if (waiting.has(name)) {
    observe(polls, ms / 1000);
    return;
  }
  let durationsOf = durations.get(name);
  if (!durationsOf) {
    durationsOf = histogram(secondsBounds);
    durations.set(name, durationsOf);
  }
  observe(durationsOf, ms / 1000);
}
