import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DirectTalk } from "@/cluster/direct-talk.ts";
import { listSeenNodes, noteNode } from "@/cluster/facts.ts";
import { forgetNodes, readNodes, rememberNodes } from "@/cluster/known-nodes.ts";
import { folderOf, writeSeat } from "@/cluster/machines/seat.ts";
import { NodeMembership } from "@/cluster/membership.ts";
import type { ClusterNode } from "@/cluster/node.ts";
import { type ClusterView, clusterSeen } from "@/cluster/seeing.ts";
import { NoLog, type SharedLog } from "@/cluster/shared-log.ts";
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
  is_joining: false,
  is_cut_off: false,
  since: null,
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
      // Each node's own clock is an hour fast.
      { value: JSON.stringify({ node, url: `http://${node}`, at: at + 3_600_000 }), at },
    ]),
  );
  return {
    talk: { states: async () => states },
    facts: { list: async () => facts },
    seen: facts,
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
    const at = Date.now() - 90_000;
    const state = await clusterSeen(nats(received, 9, { a: 1_000, c: at }), sight());
    expect(state).toMatchObject({ log: "there", leader: "b", newest: 9 });
    expect(state.nodes[2]?.last_seen).toBe(Math.floor(at / 1_000));
    expect(state.nodes.map(({ node, position, lag }) => [node, position, lag])).toEqual([
      ["a", 9, 0],
      ["b", 7, 2],
      ["c", null, null],
    ]);
  });

  test("with since when each does what it does, by the clock of the node that is asked", async () => {
    const now = Date.now();
    const seconds = Math.floor(now / 1_000);
    const hour = 3_600_000;
    const received = [
      report("b", 9, { leads: true, clock_ms: now, since: seconds - 90 }),
      report("c", 9, { clock_ms: now + hour, since: seconds + 3_600 - 60 }),
      report("d", 9),
    ];
    const { nodes } = await clusterSeen(nats(received, 9), sight());
    const [, b, c, d] = nodes.map(({ state }) => state?.since);
    expect([b, d]).toEqual([seconds - 90, null]);
    // The minute ends while this runs.
    expect(Math.abs((c ?? 0) - (seconds - 60))).toBeLessThanOrEqual(5);
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

describe("a node that is gone for good", () => {
  const now = Date.now();
  const seat = {
    cluster: "chat",
    secret: "",
    nats_password: "",
    system_password: "",
    founder: "10.0.0.1",
    settings: {},
    name: "a",
    machines: ["a", "c", "witness"].map((name) => ({ name, address: "", is_witness: name === "witness" })),
    has_begun: true,
    tokens: [],
  };

  /** Of a cluster of a and b, which run, and c and d, which do not; c is known from the folder, too. */
  function membershipOf({ runs = "", log = 9 as Parameters<typeof nats>[1] } = {}) {
    const dataDir = newFolder();
    const cluster = "chat";
    const seen = { a: now, b: now, c: now - 90_000, d: now - 86_400_000 };
    const asked = nats([report("a", 9, { leads: true }), report("b", 9)], log, seen);
    const facts = asked.seen;
    const known = { url: "http://c", last_seen: Math.floor(now / 1_000) + 3_600, state: null, lag: null };
    rememberNodes({ dataDir, cluster }, [{ ...known, node: "c", position: 7 }]);
    const shared = {
      ...asked,
      facts: {
        list: async () => facts,
        put: async (key: string, value: string) => void facts.set(key, { value, at: Date.now() }),
      },
    };
    const node = {
      leads: true,
      isDraining: false,
      since: now,
      unknownMs: 0,
      position: 9,
      appending: { counted: { appended: 4 } },
    };
    const me = { node: "a", url: "http://a" };
    const direct = { stateAt: async (url: string) => (url === `http://${runs}` ? report(runs, 8) : null) };
    const measured = { nats: () => [], certificateEndsAt: null };
    const options = {
      ...{ cluster, me, dataDir, makeSnapshot: async () => null, files: () => "", direct },
      ...measured,
    };
    const membership = new NodeMembership(
      node as unknown as ClusterNode,
      shared as unknown as SharedLog,
      options,
    );
    const names = async () => (await membership.state()).nodes.map((one) => one.node);
    return { membership, names, dataDir, facts, shared };
  }

  test("is removed: neither NATS nor the folder shows it any more, until it is started again", async () => {
    const { membership, names, dataDir, shared } = membershipOf();
    const found = await membership.findRemovable("c");
    expect(found).toMatchObject({ node: "c", url: "http://c", position: 7, state: null });
    expect(await names()).toEqual(["a", "b", "c", "d"]);
    expect(await membership.remove(found)).toEqual(["a", "b", "d"]);
    expect(readNodes({ dataDir, cluster: "chat" }).map(({ node }) => node)).toEqual(["a", "b", "d"]);
    expect((await listSeenNodes(shared.facts)).map(({ node }) => node)).toEqual(["a", "b", "d"]);
    // Another node's folder remembers it, by a clock that is fast.
    const remembered = [
      { node: "c", url: "http://c", last_seen: Math.floor(now / 1_000) + 9_000, position: 7 },
    ];
    const other = await clusterSeen(
      { ...shared, ends: async () => ({ first: 1, last: 9, bytes: 1 }) },
      sight({ asked: "b", remembered }),
    );
    expect(other.nodes.map(({ node }) => node)).toEqual(["a", "b", "d"]);
    await noteNode(shared.facts as unknown as SharedLog["facts"], { node: "c", url: "http://c" });
    expect(await names()).toEqual(["a", "b", "c", "d"]);
  });

  test("is not removed while it runs, also out of reach of NATS, nor while the log is not there", async () => {
    const refused = async (name: string, given: Parameters<typeof membershipOf>[0] = {}) => {
      const { membership, facts } = membershipOf(given);
      const before = [...facts];
      const { message } = await membership.findRemovable(name).then(
        () => new Error("not refused"),
        (error: Error) => error,
      );
      expect([...facts]).toEqual(before);
      return message;
    };
    const stopFirst = "runs: drain it by 'confab node drain' on its machine, and stop it first.";
    expect(await refused("a")).toBe(`a ${stopFirst}`);
    expect(await refused("b")).toBe(`b ${stopFirst}`);
    expect(await refused("c", { runs: "c" })).toBe(`c ${stopFirst}`);
    expect(await refused("e")).toBe("The cluster chat has no node 'e'. It has a, b, c and d.");
    expect(await refused("c", { log: "lost" })).toContain("'confab cluster status'");
  });

  test("where Confab runs the nats-servers: its machine is replaced, not removed, a witness neither", async () => {
    const { membership, dataDir, names } = membershipOf();
    mkdirSync(folderOf(dataDir));
    writeSeat(dataDir, seat);
    for (const name of ["c", "witness"]) {
      await expect(membership.findRemovable(name)).rejects.toThrow(
        `${name} is one of the three machines that keep the log, and two do not suffice: each of them would be needed for every write. ` +
          `Let another machine take its place: 'confab cluster replace ${name}'.`,
      );
    }
    expect(await membership.remove(await membership.findRemovable("d"))).toEqual(["a", "b", "c"]);
    expect(await names()).toEqual(["a", "b", "c"]);
  });
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
