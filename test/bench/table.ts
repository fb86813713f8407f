// The table the bench prints: one row per budget.
export type Limit = { ratio: number } | { most: number };
export type Row = {
  what: string;
  unit: string;
  /** Median of the side compared with; null where the budget is absolute and there is none. */
  base: number | null;
  confab: number;
  limit: Limit;
  /** Every round, in order. */
  rounds?: { base: number[]; confab: number[] };
};

const titles = ["what", "unit", "bare", "confab", "ratio", "budget", ""];

export function isOver({ base, confab, limit }: Row): boolean {
  if ("most" in limit) return confab > limit.most;
  return base !== null && confab / base > limit.ratio;
}

export function table(rows: Row[]): string {
  const cells = [titles, ...rows.map(cellsOf)];
  const widths = titles.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? "").length)));
  const line = (row: string[]) =>
    row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  const rule = widths.map((width) => "-".repeat(width));
  return [titles, rule, ...cells.slice(1)].map((row) => line(row).trimEnd()).join("\n");
}

function cellsOf(row: Row): string[] {
  const { what, unit, base, confab, limit } = row;
  return [
    what,
    unit,
    base === null ? "" : figure(base),
    figure(confab),
    base === null ? "" : `${(confab / base).toFixed(2)} x`,
    "ratio" in limit ? `<= ${limit.ratio} x` : `<= ${limit.most}`,
    isOver(row) ? "OVER" : "ok",
  ];
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
