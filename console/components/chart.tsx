import { Box } from "ink";
import {
  type ChartGrid,
  chartGap,
  chartWidth,
  type Chart as Drawn,
  mostOf,
  plot,
  shortRoom,
  shortTitle,
} from "../chart.ts";
import { line, widthOf } from "../layout.ts";
import { Lines, Words } from "./words.tsx";

export function Charts({ charts, columns, each, height, width }: ChartGrid & { width: number }) {
  return (
    <Box flexWrap="wrap" columnGap={chartGap} width={width} height={height} flexShrink={0}>
      {charts.map((chart) =>
        each === 1 ? (
          <ShortChart key={chart.title} chart={chart} width={width} />
        ) : (
          <Chart key={chart.title} chart={chart} width={chartWidth(width, columns)} height={each} />
        ),
      )}
    </Box>
  );
}

const toneOf = ({ curves }: Drawn) => curves.at(-1)?.tone ?? "accent";

interface ChartProps {
  chart: Drawn;
  width: number;
}

/** A chart with its title and scale above it, and an empty line below. */
function Chart({ chart, width, height }: ChartProps & { height: number }) {
  const { title, now, curves, words } = chart;
  const most = mostOf(chart);
  const scale = words(most);
  const hasScale = width > widthOf(title) + 1 + widthOf(now) + widthOf(scale);
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Box columnGap={1} height={1} flexShrink={0}>
        <Words line={line(title, "dim")} />
        <Words line={line(now, toneOf(chart))} />
        <Box flexGrow={1} justifyContent="flex-end">
          {hasScale && <Words line={line(scale, "faint")} />}
        </Box>
      </Box>
      <Lines lines={plot(curves, { width, height: height - 2, most })} />
    </Box>
  );
}

/** The same in one line: title, curve, value. */
function ShortChart({ chart, width }: ChartProps) {
  const curve = plot(chart.curves, { width: shortRoom(width), height: 1, most: mostOf(chart) });
  return (
    <Box width={width} height={1} flexShrink={0}>
      <Box width={shortTitle} flexShrink={0}>
        <Words line={line(chart.title, "dim")} />
      </Box>
      <Lines lines={curve} />
      <Box marginLeft={2} flexShrink={0}>
        <Words line={line(chart.now, toneOf(chart))} />
      </Box>
    </Box>
  );
}
