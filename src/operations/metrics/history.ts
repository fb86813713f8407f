// What the running server measured over the last day, kept in memory and in a small file next to the database.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { countUnsent } from "@/foundation/mail/queries.ts";
import type { Ctx, Db, Reads } from "@/kernel/core/context.ts";
import { isInMemory } from "@/kernel/store/database-file.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { countWaitingCalls } from "@/outside/webhooks/queries.ts";
import { countOnline } from "@/personal/presence/access.ts";
import { type Counters, countersOf, type Histogram } from "./counters.ts";
import { type MetricsHistory, metricsHistory, type Sample, sampleFields } from "./schema.ts";
import * as store from "./store.ts";

export const sampleSeconds = 5;
const recentKept = 72;
const minutesKept = 1440;

/** The cumulative numbers as of the last sample, or of the last minute. */
interface MetricsReading {
  messages: number;
  requests: number;
  failedLogins: number;
  sends: readonly number[];
  polls: readonly number[];
}

interface History {
  recent: Sample[];
  minutes: Sample[];
  /** As of the last sample; null before the first one. */
  last: MetricsReading | null;
  lastMinute: MetricsReading | null;
}

const histories = perApp((db): History => {
  const file = fileOf(db);
  const found = file === null ? null : readStored(file);
  return { recent: found?.recent ?? [], minutes: found?.minutes ?? [], last: null, lastMinute: null };
});

/** The file of this history; null for a database in memory. It is no part of the data: a backup leaves it out. */
function fileOf({ sqlite }: Db): string | null {
  return isInMemory(sqlite) ? null : join(dirname(sqlite.filename), "confab.history");
}

/** Null if the file does not exist, or is of another version. */
function readStored(file: string): MetricsHistory | null {
  try {
    const found = metricsHistory.parse(JSON.parse(readFileSync(file, "utf8")));
    return found.fields.join() === sampleFields.join() ? found : null;
  } catch {
    return null;
  }
}

export function historyOf(ctx: Reads): MetricsHistory {
  const { recent, minutes } = histories(ctx);
  return { fields: [...sampleFields], recent, minutes };
}

/** Takes a sample, and writes the file once a minute. Nothing waits for the disk: a crash may lose the last minutes. */
export function takeSample(ctx: Ctx): void {
  const history = histories(ctx);
  const { last, lastMinute } = history;
  const reading = read(ctx, last);
  history.last = reading;
  history.lastMinute ??= reading;
  if (!last) return;
  add(history.recent, sampleOf(ctx, last, reading), recentKept);
  const before = history.minutes.at(-1)?.[0] ?? 0;
  if (Math.floor(ctx.now / 60) === Math.floor(before / 60)) return;
  add(history.minutes, sampleOf(ctx, lastMinute ?? last, reading), minutesKept);
  history.lastMinute = reading;
  const file = fileOf(ctx.db);
  if (file !== null) write(file, historyOf(ctx));
}

function add(samples: Sample[], sample: Sample, kept: number): void {
  samples.push(sample);
  if (samples.length > kept) samples.splice(0, samples.length - kept);
}

function write(file: string, history: MetricsHistory): void {
  const part = `${file}.part`;
  try {
    writeFileSync(part, JSON.stringify(history), { mode: 0o600 });
    renameSync(part, file);
  } catch {
    // A full disk must not end the job; the next minute tries again.
  }
}

/** Without a request since the last reading, all counts are as they were: a server that nobody uses computes nothing. */
function read(ctx: Ctx, last: MetricsReading | null): MetricsReading {
  const counters = countersOf(ctx.db);
  const { answered, durations, polls } = counters;
  const messages = store.lastMessageId(ctx);
  if (last?.requests === answered) return { ...last, messages };
  return {
    messages,
    requests: answered,
    failedLogins: countFailedLogins(counters),
    sends: [...(durations.get("send-message")?.counts ?? [])],
    polls: [...polls.counts],
  };
}

const logins = ["fetch-api-key", "sign-in"];

function countFailedLogins({ requests }: Counters): number {
  return logins
    .map((operation) => requests.get(operation) ?? new Map<number, number>())
    .flatMap((byStatus) => [...byStatus])
    .reduce((sum, [status, n]) => sum + (status >= 400 && status < 500 ? n : 0), 0);
}

function sampleOf(ctx: Ctx, before: MetricsReading, now: MetricsReading): Sample {
  const { polls, durations } = countersOf(ctx.db);
  const sends = durations.get("send-message")?.bounds ?? [];
  const { database, wal } = store.fileSizes(ctx);
  return [
    ctx.now,
    Math.max(0, now.messages - before.messages),
    now.requests - before.requests,
    now.failedLogins - before.failedLogins,
    ...(now.requests === before.requests
      ? [0, 0, 0, 0]
      : [...quantiles(sends, before.sends, now.sends), ...quantiles(polls.bounds, before.polls, now.polls)]),
    process.memoryUsage.rss(),
    ctx.env.queues.all.size,
    countOnline(ctx),
    database + wal,
    countUnsent(ctx),
    countWaitingCalls(ctx),
  ];
}

function quantiles(bounds: Histogram["bounds"], before: readonly number[], now: readonly number[]): number[] {
  const counts = now.map((count, i) => count - (before[i] ?? 0));
  return [0.5, 0.99].map((part) => quantile(bounds, counts, part));
}

/** The value, in milliseconds, below which this part of the values lies; interpolated within its bucket. 0 without values. */
export function quantile(bounds: readonly number[], counts: readonly number[], part: number): number {
  const total = counts.reduce((sum, n) => sum + n, 0);
  let below = 0;
  for (const [i, count] of counts.entries()) {
    if (count > 0 && below + count >= total * part) {
      const least = bounds[i - 1] ?? 0;
      const most = bounds[i] ?? least;
      return Number((1000 * (least + (most - least) * ((total * part - below) / count))).toFixed(2));
    }
    below += count;
  }
  return 0;
}
