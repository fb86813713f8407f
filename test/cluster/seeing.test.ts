import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DirectTalk } from "@/cluster/direct-talk.ts";
import { forgetNodes, readNodes, rememberNodes } from "@/cluster/known-nodes.ts";
import { type ClusterView, clusterSeen } from "@/cluster/seeing.ts";
import { NoLog } from "@/cluster/shared-log.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";
import { cleanUp, newFolder } from "../support/executable.ts";
import { serveFetch } from "../support/plain-server.ts";

afterAll(() => cleanUp());

const report = (node: string, position: number, given: Partial<NodeState> = {}): NodeState => ({
  node,
  url: `http://${node}`,
  version: "1.0.0",
  leads: false,
  is_draining: false,
  is_waiting: false,
  position,
  clock_ms: 1_772_530_200_000,
  free_bytes: 50e9,
  appended: 4,
  files: "https://s3.example.com/chat",
  ...given,
});

/** What NATS answers: the states of nodes, and where the log ends; "lost" and "silent" if it has none, or says nothing. */
function nats(states: NodeState[], end: number | "lost" | "silent", seen: Record<string, number> = {}) {
  const facts = new Map(
    Object.entries(seen).map(([node, at]) => [
      `node.${node}`,
      JSON.stringify({ node, url: `http://${node}`, at }),
    ]),
  );
  return {
    talk: { states: async () => states },
    facts: { list: async () => facts },
    async ends() {
      if (end === "lost") throw new NoLog();
      if (end === "silent") throw new Error("timeout");
      return { first: 1, last: end, bytes: 1 };
    },
  };
}

const sight = (given: Partial<ClusterView> = {}): ClusterView => ({
  cluster: "chat",
  asked: "a",
  own: () => report("a", 9),
  remembered: [],
  stateAt: async () => null,
  patienceMs: 0,
  ...given,
});

describe("what is known of a cluster", () => {
  test("while the log is there", async () => {
    const received = [report("a", 9), report("b", 7, { leads: true })];
    const state = await clusterSeen(nats(received, 9, { a: 1_000, c: Date.now() - 90_000 }), sight());
    expect(state).toMatchObject({ log: "there", leader: "b", newest: 9 });
    expect(state.nodes.map(({ node, position, lag }) => [node, position, lag])).toEqual([
      ["a", 9, 0],
      ["b", 7, 2],
      ["c", null, null],
    ]);
  });

  test("while much is written: no node lacks what the log got after it was asked", async () => {
    const growing = nats([report("a", 9), report("b", 7, { leads: true })], 0);
    let end = -11;
    growing.ends = async () => {
      end += 20;
      return { first: 1, last: end, bytes: 1 };
    };
    const { log, newest, nodes } = await clusterSeen(growing, sight());
    expect({ log, newest, lags: nodes.map(({ lag }) => lag) }).toEqual({
      log: "there",
      newest: 29,
      lags: [0, 2],
    });
  });

  test("where NATS has no log, or one that ends before what a node holds", async () => {
    const received = [report("a", 9), report("b", 12)];
    const lost = await clusterSeen(nats(received, "lost"), sight());
    expect(lost).toMatchObject({ log: "lost", newest: 0, leader: null });
    expect(lost.nodes.map(({ node, position, lag }) => [node, position, lag])).toEqual([
      ["a", 9, null],
      ["b", 12, null],
    ]);
    expect(await clusterSeen(nats(received, 11), sight())).toMatchObject({ log: "lost", newest: 11 });
    // A look that was too early is repeated.
    const late = nats(received, 11);
    let end = 10;
    late.ends = async () => ({ first: 1, last: ++end, bytes: 1 });
    expect(await clusterSeen(late, sight())).toMatchObject({ log: "there", newest: 12 });
  });

  test("while NATS is silent, which asks those that are remembered", async () => {
    const asked: string[] = [];
    const state = await clusterSeen(
      nats([], "silent"),
      sight({
        remembered: [
          { node: "a", url: "http://a", last_seen: 5, position: 3 },
          { node: "b", url: "http://b", last_seen: 5, position: 8 },
          { node: "c", url: "http://c", last_seen: 5, position: 8 },
        ],
        async stateAt({ node }) {
          asked.push(node);
          return node === "b" ? report("b", 11) : null;
        },
      }),
    );
    expect(asked).toEqual(["b", "c"]);
    expect(state).toMatchObject({ log: "silent", leader: null, newest: 11 });
    expect(state.nodes.map(({ node, position, lag }) => [node, position, lag])).toEqual([
      ["a", 9, null],
      ["b", 11, null],
      ["c", 8, null],
    ]);
    expect(state.nodes[2]).toMatchObject({ state: null, last_seen: 5 });
  });

  test("next to a node that does not run", async () => {
    const stopped = sight({ own: () => null, position: 9 });
    expect(await clusterSeen(nats([], 9), stopped)).toMatchObject({ log: "there" });
    expect(await clusterSeen(nats([], 8), stopped)).toMatchObject({ log: "lost", newest: 8 });
    // Those that run know more of the log than a folder that may hold what it lost.
    expect(await clusterSeen(nats([report("b", 8, { leads: true })], 8), stopped)).toMatchObject({
      log: "there",
      leader: "b",
    });
  });
});

test("a folder remembers the nodes of its cluster, until they were away for a month", () => {
  const dataDir = newFolder();
  const now = Math.floor(Date.now() / 1_000);
  const known = (node: string, last_seen: number) => {
    return { node, url: `http://${node}`, last_seen, position: 4, state: null, lag: null };
  };
  rememberNodes({ dataDir, cluster: "chat" }, [known("a", now), known("b", now - 40 * 86_400)]);
  expect(readNodes({ dataDir, cluster: "chat" })).toEqual([
    { node: "a", url: "http://a", last_seen: now, position: 4 },
  ]);
  expect(readNodes({ dataDir, cluster: "other" })).toEqual([]);
  writeFileSync(join(dataDir, "confab.nodes"), "{");
  expect(readNodes({ dataDir, cluster: "chat" })).toEqual([]);
  forgetNodes(dataDir);
  expect(readNodes({ dataDir, cluster: "chat" })).toEqual([]);
});

test("nodes tell each other their state over HTTP, and nobody else", async () => {
  let state: NodeState | null = report("b", 4);
  const talk = new DirectTalk({ secret: "s3cret", state: () => state });
  const serving = await serveFetch((request) => talk.receiving(() => new Response("the app"))(request));
  const url = `http://127.0.0.1:${serving.port}`;
  try {
    expect(await talk.stateAt(url)).toEqual(state);
    expect(await new DirectTalk({ secret: "other", state: () => null }).stateAt(url)).toBeNull();
    expect(await (await fetch(`${url}/metrics/nodes/state`)).text()).toBe("the app");
    expect(
      await (await fetch(`${url}/metrics`, { headers: { "x-confab-node-secret": "s3cret" } })).text(),
    ).toBe("the app");
    state = null;
    expect(await talk.stateAt(url)).toBeNull();
  } finally {
    await serving.stop();
  }
  expect(await talk.stateAt(url)).toBeNull();
});
