import { countText } from "@/kernel/lib/wording.ts";
import { vitals } from "@/operations/metrics/queries.ts";
import type { SampleField } from "@/operations/metrics/schema.ts";
import { type Chart, type ChartGrid, chartWidth, shortRoom } from "../chart.ts";
import { historyNow, nextRange, type Range, rangeOf, ranges, valuesOf } from "../history.ts";
import { bytes, duration, type Line, type Segment, type Tone, widthOf, wrap } from "../layout.ts";
import { gaugeOf } from "../metrics.ts";
import { screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import { type Concern, concernsOf } from "./attention.ts";

export const overview = screen<Concern>({
  key: "1",
  title: "Overview",
  need: "admin",
  everySeconds: 5,
  area: "",
  about: "how the server does, and what needs you",
  empty: "",
  rows: concernsOf,
  id: ({ about, text }) => `${about} ${text}`,
  head: (session, { width, height }) => [
    ...factsLine(session, width),
    rangeLine(session),
    chartsOf(session, width, height),
    [],
  ],
  columns: [
    { title: "NEEDS ATTENTION", value: ({ about }) => about, tone: ({ tone }) => tone },
    { title: "", value: ({ text }) => text, grow: true },
    { title: "", value: ({ to }) => (to ? `→ ${to.to}` : ""), tone: () => "dim", spare: true },
  ],
  leads: ({ to }) => to,
  actions: [
    {
      key: "t",
      need: "anyone",
      title: "longer",
      async run(session) {
        return { message: `The charts show ${nextRange(session)}.` };
      },
    },
  ],
});

function rangeLine(session: ConsoleSession): Line {
  const now = rangeOf(session);
  return (Object.keys(ranges) as Range[]).flatMap((name): Segment[] => [
    { text: ` ${name} `, tone: name === now ? "title" : "dim", back: name === now ? "selected" : undefined },
    { text: " " },
  ]);
}

/** Numbers that need no curve. */
function factsLine(session: ConsoleSession, width: number): Line[] {
  const found = vitals(session.ctx(), 1);
  const { state } = session.server;
  const inOrganization = [
    countText(found.users, "person", "people"),
    countText(found.bots, "bot"),
    countText(found.channels, "channel"),
    bytes(found.bytes.database + found.bytes.write_ahead_log),
  ].join(" · ");
  if (state.kind === "asking") return [[{ text: inOrganization }, { text: " · connecting …", tone: "dim" }]];
  if (state.kind !== "running")
    return [
      [{ text: inOrganization }],
      ...wrap(state.reason, width).map((text): Line => [{ text, tone: "warn" }]),
    ];
  const started = gaugeOf(state.metrics, "confab_start_time_seconds") ?? 0;
  const version = state.metrics.get("confab_build_info")?.[0]?.labels.version ?? "";
  const since = ` · up ${duration(Math.max(0, session.ctx().now - started))}`;
  const confab = ` · Confab ${version}`;
  const fits = widthOf(inOrganization + since + confab) <= width;
  return [[{ text: inOrganization }, { text: fits ? since + confab : since, tone: "dim" }]];
}

interface Drawn {
  title: string;
  fields: readonly [field: SampleField, tone: Tone][];
  least: number;
  words: (value: number) => string;
}

const whole = (value: number) => String(Math.round(value));
/** 0 means no requests, because every request takes some time. */
const ms = (value: number) =>
  value === 0
    ? "–"
    : value >= 1000
      ? `${(value / 1000).toFixed(1)} s`
      : `${value.toFixed(value < 10 ? 1 : 0)} ms`;

const drawn: readonly Drawn[] = [
  { title: "Messages a minute", fields: [["messages", "accent"]], least: 4, words: whole },
  { title: "Requests a minute", fields: [["requests", "accent"]], least: 10, words: whole },
  {
    title: "Sends, p99 and p50",
    fields: [
      ["send_p99", "second"],
      ["send_p50", "good"],
    ],
    least: 5,
    words: ms,
  },
  {
    title: "Polls, p99 and p50",
    fields: [
      ["poll_p99", "second"],
      ["poll_p50", "good"],
    ],
    least: 1000,
    words: ms,
  },
  {
    title: "Queues, people online",
    fields: [
      ["queues", "second"],
      ["online", "good"],
    ],
    least: 4,
    words: whole,
  },
  { title: "Memory", fields: [["memory_bytes", "second"]], least: 200e6, words: bytes },
  { title: "Database", fields: [["database_bytes", "second"]], least: 1e6, words: bytes },
  { title: "Failed logins a minute", fields: [["failed_logins", "bad"]], least: 4, words: whole },
  {
    title: "Webhooks, mails waiting",
    fields: [
      ["webhooks_waiting", "second"],
      ["mails_waiting", "warn"],
    ],
    least: 4,
    words: whole,
  },
];

/** Lines for the list of what needs attention. */
const listRoom = 7;

/** As many columns of charts as fit, as high as fits; one line per chart if there is little room. */
function chartsOf(session: ConsoleSession, width: number, height: number): ChartGrid {
  const columns = width >= 102 ? 3 : width >= 76 ? 2 : 1;
  const rows = Math.ceil(drawn.length / columns);
  const each = Math.min(11, Math.floor((height - 3 - listRoom) / rows));
  const isShort = columns === 1 || each < 4;
  const shown = isShort ? drawn.slice(0, Math.max(3, height - 3 - 4)) : drawn;
  const points = (isShort ? shortRoom(width) : chartWidth(width, columns)) * 2;
  const charts = shown.map((one) => chartOf(session, one, points));
  return isShort
    ? { charts, columns: 1, each: 1, height: charts.length }
    : { charts, columns, each, height: rows * each };
}

function chartOf(session: ConsoleSession, { title, fields, least, words }: Drawn, points: number): Chart {
  const history = historyNow(session);
  const range = rangeOf(session);
  const { now } = session.ctx();
  const curves = fields.map(([field, tone]) => ({
    tone,
    values: history ? valuesOf(history, { field, range, now, points }) : [],
  }));
  const last = curves.map(({ values }) => values.at(-1) ?? null);
  const text = last.every((value) => value === null)
    ? "–"
    : last.map((value) => (value === null ? "–" : words(value))).join(" / ");
  return { title, now: text, curves, least, words };
}
