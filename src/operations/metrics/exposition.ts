// The text format of Prometheus.

import type { Histogram } from "./counters.ts";

export type Labels = Record<string, string | number>;

export interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: { labels?: Labels; value: number | Histogram }[];
}

export function exposition(metrics: readonly Metric[]): string {
  return `${metrics.flatMap(linesOf).join("\n")}\n`;
}

function linesOf({ name, help, type, samples }: Metric): string[] {
  const values = samples.flatMap(({ labels = {}, value }) =>
    typeof value === "number"
      ? [`${name}${formatLabels(labels)} ${value}`]
      : histogramLines(name, labels, value),
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values];
}

function histogramLines(name: string, labels: Labels, { bounds, counts, total, sum }: Histogram): string[] {
  let below = 0;
  const buckets = bounds.map((bound, i) => {
    below += counts[i] ?? 0;
    return `${name}_bucket${formatLabels({ ...labels, le: bound })} ${below}`;
  });
  return [
    ...buckets,
    `${name}_bucket${formatLabels({ ...labels, le: "+Inf" })} ${total}`,
    `${name}_sum${formatLabels(labels)} ${Number(sum.toFixed(6))}`,
    `${name}_count${formatLabels(labels)} ${total}`,
  ];
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(String(value))}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
