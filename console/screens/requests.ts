import { line } from "../layout.ts";
import { commitSize, slowestRequests, type Timing } from "../metrics.ts";
import { numberColumn, screen } from "../screen.ts";
import { askMs } from "../server-link.ts";
import type { ConsoleSession } from "../session.ts";

/** The server's state with its newest metrics. */
const stateOf = ({ sources, server }: ConsoleSession) =>
  sources.get("requests", askMs, async () => server.state).value;

export const requests = screen<Timing>({
  key: "N",
  title: "Requests",
  need: "admin",
  everySeconds: 5,
  area: "Server",
  about: "since the server's start, slowest first",
  empty: "The server has answered no requests yet, or cannot be reached.",
  rows(session) {
    const state = stateOf(session);
    return state?.kind === "running" ? slowestRequests(state.metrics) : [];
  },
  id: ({ operation }) => operation,
  head(session) {
    const state = stateOf(session);
    if (state?.kind !== "running") return [];
    const size = commitSize(state.metrics, state.before);
    return size === null ? [] : [line(`A commit holds ${size.toFixed(1)} writes.`, "dim"), []];
  },
  leads: ({ operation }) => ({
    to: "Log",
    chosen: { "log level": "info", "log operation": operation, "log person": "" },
  }),
  columns: [
    { title: "OPERATION", value: ({ operation }) => operation, grow: true },
    { ...numberColumn("COUNT", ({ requests: count }) => count), flows: true },
    { ...numberColumn("MEAN", ({ mean }) => mean, milliseconds), flows: true },
    {
      title: "99 % WITHIN",
      value: ({ p99 }) => (p99 === null ? "longer" : milliseconds(p99)),
      order: ({ p99 }) => p99 ?? Number.MAX_VALUE,
      tone: ({ p99 }) => (p99 === null || p99 > 0.5 ? "bad" : p99 > 0.1 ? "warn" : "good"),
      right: true,
      flows: true,
    },
  ],
});

function milliseconds(seconds: number): string {
  const ms = seconds * 1000;
  return `${ms >= 100 ? Math.round(ms) : ms.toFixed(1)} ms`;
}
