// Pictures of numbers: lines over time, and bars. What they show is also there as text.
import type { ReactNode } from "react";
import { t } from "../lib/texts.ts";
import css from "./chart.module.css";

/** Several charts side by side; wide ones are higher, too. */
export function Charts({ areWide = false, children }: { areWide?: boolean; children: ReactNode }) {
  return <div className={areWide ? css.wide : css.charts}>{children}</div>;
}

const [width, height] = [240, 48];

export interface ChartProps {
  title: string;
  /** Oldest first; null where nothing is known. */
  values: readonly (number | null)[];
  format: (value: number) => string;
  /** What stands below the beginning and the end. */
  ends?: readonly [from: string, to: string];
  /** Fills what lies below the line. */
  isFilled?: boolean;
}

/** A line of values over time, from zero up; its newest and highest value as text. */
export function Chart({ title, values, format, ends, isFilled = false }: ChartProps) {
  const highest = values.reduce<number>((most, one) => Math.max(most, one ?? 0), 0);
  const last = values.at(-1) ?? null;
  const points = values.map((value, i) => {
    const x = (i / (values.length - 1)) * width;
    const y = height - (highest === 0 ? 0 : (value ?? 0) / highest) * (height - 2) - 1;
    return { x: x.toFixed(1), y: y.toFixed(1), isKnown: value !== null };
  });
  const lines = linesOf(points);
  return (
    <figure className={css.chart}>
      <figcaption>
        <span>{title}</span>
        <b>{last === null ? "–" : format(last)}</b>
      </figcaption>
      <svg
        className={css.line}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {isFilled
          ? lines.map((line) => (
              <path
                key={line[0]?.x}
                className={css.area}
                d={`M${line[0]?.x},${height}L${line.map(({ x, y }) => `${x},${y}`).join("L")}L${line.at(-1)?.x},${height}Z`}
              />
            ))
          : null}
        {lines.map((line) => (
          <polyline key={line[0]?.x} points={line.map(({ x, y }) => `${x},${y}`).join(" ")} />
        ))}
      </svg>
      {ends ? (
        <p className={css.ends} dir="ltr">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </p>
      ) : null}
      <p className={css.quiet}>{t("At most {value}", { value: format(highest) })}</p>
    </figure>
  );
}

interface Point {
  x: string;
  y: string;
  isKnown: boolean;
}

/** The stretches of which all values are known; each can be seen, also a single value. */
function linesOf(points: readonly Point[]): Point[][] {
  const lines: Point[][] = [[]];
  for (const point of points) {
    if (point.isKnown) lines.at(-1)?.push(point);
    else if (lines.at(-1)?.length !== 0) lines.push([]);
  }
  return lines.flatMap((line) => {
    const [first] = line;
    if (!first) return [];
    return [line.length > 1 ? line : [{ ...first, x: (Number(first.x) - 2).toFixed(1) }, first]];
  });
}

interface BarsProps {
  rows: readonly { name: string; value: number }[];
  format: (value: number) => string;
}

/** A bar for each, as long as its part of the largest. */
export function Bars({ rows, format }: BarsProps) {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <dl className={css.bars}>
      {rows.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd aria-hidden="true">
            <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={((value / most) * 100).toFixed(2)} height="1" />
            </svg>
          </dd>
          <dd className={css.amount}>{format(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
