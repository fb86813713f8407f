// The table the bench prints: one row per budget.
export type Limit = { ratio: number } | { most: number };
export type Row = {
  what: string;
  unit: string;
  /** Median of the baseline; null if the budget is absolute. */
  base: number | null;
  confab: number;
  /** Null if the row is only informative. */
  limit: Limit | null;
  /** The figure of every round, in order. */
  rounds?: { base: number[]; confab: number[] };
};

/** Two runs of the same code differ by this much. */
const noise = 0.15;
const titles = ["what", "unit", "bare", "confab", "ratio", "budget", ""];

export function isOver({ base, confab, limit }: Row): boolean {
  if (limit === null) return false;
  if ("most" in limit) return confab > limit.most;
  return base !== null && confab / base > limit.ratio;
}

export function table(rows: Row[]): string {
  return aligned([titles, ...rows.map(cellsOf)]);
}

function cellsOf(row: Row): string[] {
  const { what, unit, base, confab, limit } = row;
  return [
    what,
    unit,
    base === null ? "" : figure(base),
    figure(confab),
    base === null ? "" : `${(confab / base).toFixed(2)} x`,
    limit === null ? "" : "ratio" in limit ? `<= ${limit.ratio} x` : `<= ${limit.most}`,
    limit === null ? "" : isOver(row) ? "OVER" : "ok",
  ];
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** The changes since a saved run, row by row. Leaves out small ones, which are noise. */
export function changes(before: Row[], now: Row[], isWhole: boolean): string {
  const lines = now.flatMap((row) => {
    const old = before.find(({ what, unit }) => what === row.what && unit === row.unit);
    if (!old) return [[row.what, row.unit, "", figure(row.confab), "new"]];
    const change = levelOf(row) / levelOf(old) - 1;
    if (Math.abs(change) < noise) return [];
    const word = change < 0 ? "better" : "WORSE";
    const share = `${change < 0 ? "" : "+"}${(change * 100).toFixed(0)} %`;
    return [[row.what, row.unit, shown(old), shown(row), `${share} ${word}`]];
  });
  const gone = !isWhole
    ? []
    : before.filter(({ what, unit }) => !now.some((row) => row.what === what && row.unit === unit));
  const all = [...lines, ...gone.map((row) => [row.what, row.unit, shown(row), "", "not measured now"])];
  if (all.length === 0) return `No row differs by more than ${noise * 100} %.`;
  return aligned([["what", "unit", "before", "now", ""], ...all]);
}

/** What two runs are compared by: the ratio to the baseline, which evens out the machine's speed, or else the figure itself. */
function levelOf({ base, confab }: Row): number {
  return base === null ? confab : confab / base;
}

function shown(row: Row): string {
  return row.base === null ? figure(row.confab) : `${levelOf(row).toFixed(2)} x`;
}

function aligned(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  const line = (row: string[]) =>
    row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  const [head = [], ...rest] = rows;
  return [head, widths.map((width) => "-".repeat(width)), ...rest]
    .map((row) => line(row).trimEnd())
    .join("\n");
}
