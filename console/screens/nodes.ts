import { type ClusterState, clusterState, type KnownNode, madeSnapshot } from "@/operations/nodes/schema.ts";
import { doingOf, newsOf, positionOf, roleOf } from "@/operations/nodes/words.ts";
import { bytes, type Line, line, wrapLines } from "../layout.ts";
import { screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import type { PolledSource } from "../source.ts";

const everyMs = 2_000;
const snapshotMs = 3_600_000;
const snapshot = "Snapshot";
const clockSlackMs = 2_000;

interface Shown extends ClusterState {
  /** When it was asked, on the monotonic clock. */
  at: number;
  /** Entries that each node appended per second since it was asked before. */
  rates: ReadonlyMap<string, number>;
}

interface Row extends KnownNode {
  rate: number | null;
  role: string;
  doing: string;
  /** How far its clock is ahead of the asked node's. */
  aheadMs: number;
}

const last = new WeakMap<ConsoleSession, Shown>();

async function answerOf(session: ConsoleSession, path: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await session.server.request(path, init);
  if (!answer) throw new Error("No server runs on this data folder.");
  const body = (await answer.json()) as { msg?: string };
  if (!answer.ok) throw new Error(body.msg ?? `The server answered ${answer.status}.`);
  return body;
}

async function load(session: ConsoleSession): Promise<Shown> {
  const state = clusterState.parse(await answerOf(session, "/metrics/nodes"));
  const before = last.get(session);
  const shown = { ...state, at: performance.now(), rates: new Map<string, number>() };
  for (const { node, state: now } of state.nodes) {
    const then = before?.nodes.find((other) => other.node === node)?.state;
    if (!before || !now || !then || now.appended < then.appended) continue;
    shown.rates.set(node, (now.appended - then.appended) / ((shown.at - before.at) / 1_000));
  }
  last.set(session, shown);
  return shown;
}

function sourceOf(session: ConsoleSession): PolledSource<Shown> {
  return session.sources.get("nodes", everyMs, () => load(session));
}

export const nodes = screen<Row>({
  key: "M",
  title: "Nodes",
  need: "machine",
  area: "Server",
  about: "which node leads, and how far the others are",
  empty: "",
  rows(session) {
    const { value } = sourceOf(session);
    if (!value) return [];
    const asked = value.nodes.find(({ node }) => node === value.asked)?.state?.clock_ms;
    return value.nodes.map((node) => ({
      ...node,
      role: roleOf(node, value.asked),
      doing: doingOf(node, value.asked),
      rate: value.rates.get(node.node) ?? null,
      aheadMs: node.state && asked !== undefined ? node.state.clock_ms - asked : 0,
    }));
  },
  id: ({ node }) => node,
  name: ({ node }) => node,
  head(session, { width }): Line[] {
    const { value, problem } = sourceOf(session);
    if (problem !== null) return [...wrapLines(problem, width, "warn"), []];
    if (!value) return [line("Asking …", "dim"), []];
    const { cluster, leader, log, newest } = value;
    const who = leader === null ? "nobody leads, so every write is refused" : `${leader} leads`;
    const text = log === "there" ? `${who}. The log ends at entry ${newest}.` : newsOf(value);
    const isBad = leader === null || log !== "there";
    return [
      ...wrapLines(`Cluster ${cluster}: ${text}`, width, isBad ? "bad" : "plain"),
      ...(log === "there" ? [] : [line("'confab cluster status' says what to do.", "warn")]),
      ...snapshotLines(session, width),
      [],
    ];
  },
  columns: [
    { title: "NODE", value: ({ node }) => node },
    {
      title: "STATE",
      value: ({ role }) => role,
      tone: ({ state }) => (!state ? "bad" : state.is_draining ? "warn" : state.leads ? "good" : "plain"),
    },
    { title: "VERSION", value: ({ state }) => state?.version ?? "", spare: true },
    { title: "POSITION", value: (row) => String(positionOf(row) ?? ""), right: true, flows: true },
    {
      title: "LAG",
      value: ({ lag }) => (lag === null ? "" : String(lag)),
      order: ({ lag }) => lag ?? Number.MAX_VALUE,
      tone: ({ lag }) => (lag !== null && lag > 1_000 ? "bad" : lag !== null && lag > 100 ? "warn" : "plain"),
      right: true,
      flows: true,
    },
    {
      title: "APPENDS/S",
      value: ({ rate }) => (rate === null ? "" : rate.toFixed(1)),
      order: ({ rate }) => rate ?? -1,
      right: true,
      flows: true,
    },
    { title: "FREE", value: ({ state }) => (state ? bytes(state.free_bytes) : ""), right: true, flows: true },
    {
      title: "CLOCK",
      value: ({ aheadMs }) => (Math.abs(aheadMs) > clockSlackMs ? `${Math.round(aheadMs / 1_000)} s` : ""),
      tone: () => "bad",
      spare: true,
    },
    { title: "URL", value: ({ url }) => url, grow: true, tone: () => "dim", spare: true },
  ],
  facts: (_, row) => [
    ["Node", row.node],
    ["State", row.doing],
    ["URL", row.url],
    ["Version", row.state?.version ?? ""],
    ["Entries of the log", String(positionOf(row) ?? "")],
    ["Entries that it lacks", row.lag === null ? "" : String(row.lag)],
    ["Clock", Math.abs(row.aheadMs) > clockSlackMs ? `${Math.round(row.aheadMs / 1_000)} s ahead` : "agrees"],
    ["Free on its disk", row.state ? bytes(row.state.free_bytes) : ""],
    ["Files", row.state ? row.state.files || "in the nats-servers" : ""],
    ["Last seen", `${new Date(row.last_seen * 1_000).toISOString().slice(0, 19).replace("T", " ")} UTC`],
  ],
  copies: ({ url }) => url,
  actions: [
    {
      key: "m",
      title: "make a snapshot",
      async run(session) {
        session.begin(snapshot, async () => {
          const init = { method: "POST", signal: AbortSignal.timeout(snapshotMs) };
          const made = madeSnapshot.parse(await answerOf(session, "/metrics/nodes/snapshot", init));
          return `${made.node} stored a snapshot of entry ${made.position} (${bytes(made.bytes)}).`;
        });
        return { message: "The node makes a snapshot …" };
      },
    },
  ],
});

function snapshotLines({ work }: ConsoleSession, width: number): Line[] {
  if (work?.title !== snapshot) return [];
  if (work.outcome === "running") return [line("A snapshot is being made …", "dim")];
  return wrapLines(work.state, width, work.outcome === "failed" ? "bad" : "good");
}
