import { vitals } from "@/operations/metrics/queries.ts";
import { bytes, duration, type Line, padded, sparkline, wrap } from "../layout.ts";
import { commitSize, gaugeOf, type Metrics, slowestRequests, type Timing } from "../metrics.ts";
import { screen } from "../screen.ts";
import type { Session } from "../session.ts";

const hour = 60;

export const overview = screen<Timing>({
  key: "1",
  title: "Overview",
  area: "",
  about: "activity, and the slowest requests",
  empty: "The server has answered no requests yet, or cannot be reached.",
  rows: ({ server: { state } }) => (state.kind === "running" ? slowestRequests(state.metrics) : []),
  id: ({ operation }) => operation,
  head: (session, { width }) => [...ofOrganization(session, width), [], ...ofServer(session, width), []],
  columns: [
    { title: "SLOWEST REQUESTS", value: ({ operation }) => operation, grow: true },
    { title: "COUNT", value: ({ requests }) => String(requests), right: true },
    { title: "MEAN", value: ({ mean }) => milliseconds(mean), right: true },
    {
      title: "99 % WITHIN",
      value: ({ p99 }) => (p99 === null ? "longer" : milliseconds(p99)),
      tone: ({ p99 }) => (p99 === null || p99 > 0.5 ? "bad" : p99 > 0.1 ? "warn" : "good"),
      right: true,
    },
  ],
});

function milliseconds(seconds: number): string {
  const ms = seconds * 1000;
  return `${ms >= 100 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

const labelWidth = 16;

function labelled(label: string, ...rest: Line): Line {
  return [{ text: padded(label, labelWidth), tone: "dim" }, ...rest];
}

/** Facts read from the data folder, available without a server. */
function ofOrganization(session: Session, width: number): Line[] {
  const found = vitals(session.ctx(), hour);
  const now = found.per_minute.at(-1) ?? 0;
  const lastHour = found.per_minute.reduce((sum, count) => sum + count, 0);
  const { database, write_ahead_log } = found.bytes;
  const count = `  ${now} now, ${lastHour} this hour`;
  const room = Math.max(10, Math.min(hour, width - labelWidth - count.length));
  return [
    labelled("Messages", { text: sparkline(found.per_minute, room), tone: "accent" }, { text: count }),
    labelled("People", {
      text: [
        counted(found.users, "person", "people"),
        counted(found.bots, "bot"),
        counted(found.channels, "channel"),
      ].join(", "),
    }),
    labelled("Database", { text: `${bytes(database)}, write-ahead log ${bytes(write_ahead_log)}` }),
  ];
}

/** Facts that only the server's process knows. */
function ofServer({ server: { state }, ctx }: Session, width: number): Line[] {
  if (state.kind === "asking") return [labelled("Server", { text: "connecting …", tone: "dim" })];
  if (state.kind !== "running")
    return wrap(state.reason, width - labelWidth).map((text, i) =>
      labelled(i === 0 ? "Server" : "", { text, tone: "warn" }),
    );
  const { metrics } = state;
  const size = commitSize(metrics, state.before);
  const started = gaugeOf(metrics, "confab_start_time_seconds") ?? 0;
  return [
    labelled("Online", {
      text: `${countOf(metrics, "confab_users_online", "person", "people")}, ${countOf(metrics, "confab_event_queues", "event queue")}`,
    }),
    labelled("Commits", { text: size === null ? "none yet" : `${size.toFixed(1)} writes each` }),
    labelled("Server", {
      text: `up ${duration(Math.max(0, ctx().now - started))}, ${bytes(gaugeOf(metrics, "confab_resident_memory_bytes") ?? 0)} of memory`,
    }),
  ];
}

function countOf(metrics: Metrics, name: string, one: string, many?: string): string {
  return counted(gaugeOf(metrics, name) ?? 0, one, many);
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
