// Parses /metrics, which is in Prometheus' text format.

export interface MetricSample {
  labels: Readonly<Record<string, string>>;
  value: number;
}
export type Metrics = ReadonlyMap<string, readonly MetricSample[]>;

const sampleLine = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function readMetrics(text: string): Metrics {
  const found = new Map<string, MetricSample[]>();
  for (const one of text.split("\n")) {
    const [, name, labels = "", value] = sampleLine.exec(one) ?? [];
    if (name === undefined) continue;
    const pairs = [...labels.matchAll(label)].map(([, key = "", text = ""]) => [key, unescapeText(text)]);
    const samples = found.get(name) ?? [];
    found.set(name, samples);
    samples.push({ labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return found;
}

function unescapeText(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, sign) => (sign === "n" ? "\n" : sign));
}

export function gaugeOf(metrics: Metrics, name: string): number | null {
  return metrics.get(name)?.[0]?.value ?? null;
}

export interface Timing {
  operation: string;
  requests: number;
  /** Seconds. */
  mean: number;
  /** Upper bound of the bucket with the 99th percentile; null if it is beyond the last bucket. */
  p99: number | null;
}

/** Request durations by operation, slowest first. */
export function slowestRequests(metrics: Metrics): Timing[] {
  const name = "confab_request_duration_seconds";
  const sums = byOperation(metrics.get(`${name}_sum`));
  const counts = byOperation(metrics.get(`${name}_count`));
  const timings = [...counts].map(([operation, requests]): Timing => {
    const buckets = (metrics.get(`${name}_bucket`) ?? []).filter(
      ({ labels }) => labels.operation === operation,
    );
    const wanted = buckets.find(({ value }) => value >= requests * 0.99)?.labels.le;
    const p99 = wanted === undefined || wanted === "+Inf" ? null : Number(wanted);
    return { operation, requests, mean: (sums.get(operation) ?? 0) / Math.max(1, requests), p99 };
  });
  const slowness = ({ p99 }: Timing) => p99 ?? Number.POSITIVE_INFINITY;
  return timings.sort((a, b) => compare(slowness(b), slowness(a)) || b.mean - a.mean);
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function byOperation(samples: readonly MetricSample[] = []): Map<string, number> {
  return new Map(samples.map(({ labels, value }) => [labels.operation ?? "", value]));
}

/** Average number of writes per commit since the last call; over all time if there were no commits since. */
export function commitSize(metrics: Metrics, before: Metrics | null): number | null {
  const of = (found: Metrics | null, part: string) =>
    found ? (gaugeOf(found, `confab_commit_size_${part}`) ?? 0) : 0;
  const [sum, count] = [of(metrics, "sum"), of(metrics, "count")];
  const [newSum, newCount] = [sum - of(before, "sum"), count - of(before, "count")];
  if (newCount > 0) return newSum / newCount;
  return count === 0 ? null : sum / count;
}
