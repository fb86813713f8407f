// What a server reports about its cluster, and who may act for the operator there. test/cluster/ tests real clusters.
import { describe, expect, test } from "bun:test";
import { runForRemotePerson } from "@cli/commands/remote-runner.ts";
import { allCommands } from "@cli/loaders.ts";
import { operatorHeader } from "@/foundation/auth/host.ts";
import { takeOperatorToken } from "@/foundation/auth/operator-token.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { setRunner } from "@/operations/command-line/host.ts";
import { examineNodes } from "@/operations/diagnosis/queries.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { joinAs, membership, type NodeFigures } from "@/operations/nodes/host.ts";
import type { ClusterState, KnownNode, NodeState } from "@/operations/nodes/schema.ts";
import { doingOf } from "@/operations/nodes/words.ts";
import { stage } from "../support/console.ts";
import type { Json } from "../support/requests.ts";
import { world } from "../support/world.ts";

const state: ClusterState = {
  cluster: "confab",
  asked: "a",
  leader: "a",
  log: "there",
  newest: 9,
  nodes: [{ node: "a", url: "http://a", last_seen: 5, position: null, state: null, lag: null }],
};
const figures: NodeFigures = {
  leads: false,
  position: 8,
  lag: 1,
  unknownSeconds: 0.5,
  isCutOff: false,
  appended: 4,
  appendSeconds: 0.5,
  refused: 2,
  elections: 3,
  nats: [
    { server: "http://n1:8222", fault: "behind", stores: [{ store: "log", bytes: 90, roomBytes: 100 }] },
  ],
  others: [{ node: "b", seenAt: 5 }],
  certificateEndsAt: 2_000_000_000,
};

const reported: NodeState = {
  node: "a",
  url: "http://a",
  version: "1.0.0",
  leads: false,
  is_draining: false,
  is_waiting: false,
  is_joining: false,
  is_cut_off: false,
  since: null,
  position: 9,
  clock_ms: 1_772_530_200_000,
  free_bytes: 50e9,
  appended: 4,
  files: "https://s3.example.com/chat",
};

function node() {
  const w = world();
  const removed: string[] = [];
  const lost = { name: "c", address: "10.0.0.3", is_witness: false };
  const membership = {
    figures,
    isDraining: false,
    state: async () => state,
    async makeSnapshot() {
      return { node: "a", position: 8, bytes: 4_096 };
    },
    async drain() {
      membership.isDraining = true;
    },
    async undrain() {
      membership.isDraining = false;
    },
    async findRemovable(name: string) {
      const found = state.nodes.find((one) => one.node === name);
      if (!found || removed.includes(name)) return fail("BAD_REQUEST", `The cluster has no node '${name}'.`);
      return found;
    },
    async remove({ node: name }: { node: string }) {
      removed.push(name);
      return ["b"];
    },
    async findReplaceable(name: string) {
      return name === "c" ? lost : fail("BAD_REQUEST", `${name} runs at 10.0.0.2: stop it first.`);
    },
    async letReplace(given: typeof lost) {
      expect(given).toBe(lost);
      return "TOKEN";
    },
  };
  joinAs(w.app.system, membership);
  return { ...w, removed };
}

describe("get-nodes", () => {
  test("shows administrators the states of the nodes", async () => {
    const { as, anonymous, clock } = node();
    expect(await (await as("ada").request("/metrics/nodes")).json()).toEqual({
      result: "success",
      msg: "",
      ...state,
    });
    for (const who of [as("mel"), anonymous]) {
      expect((await who.request("/metrics/nodes")).status).toBeGreaterThanOrEqual(400);
    }
    const metrics = await (await as("ada").request("/metrics")).text();
    for (const line of [
      "confab_cluster_leads 0",
      "confab_cluster_position 8",
      "confab_cluster_lag 1",
      "confab_cluster_log_unknown_seconds 0.5",
      "confab_cluster_appends_total 4",
      "confab_cluster_append_seconds_total 0.5",
      "confab_cluster_appends_refused_total 2",
      "confab_cluster_elections_total 3",
      `confab_cluster_node_unseen_seconds{node="b"} ${clock.now() - 5}`,
      'confab_cluster_nats_fault{server="http://n1:8222",fault="silent"} 0',
      'confab_cluster_nats_fault{server="http://n1:8222",fault="behind"} 1',
      'confab_cluster_store_bytes{server="http://n1:8222",store="log"} 90',
      'confab_cluster_store_room_bytes{server="http://n1:8222",store="log"} 100',
      `confab_cluster_certificate_remaining_seconds ${2_000_000_000 - clock.now()}`,
    ])
      expect(metrics).toContain(`\n${line}\n`);
  });

  test("is refused by a standalone server, which has no such metrics", async () => {
    const { as } = world();
    const answer = await as("ada").request("/metrics/nodes");
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ msg: "This is a single server, not a cluster's node." });
    expect(await (await as("ada").request("/metrics")).text()).not.toContain("confab_cluster");
  });
});

describe("what the doctor says of nodes", () => {
  const report = (node: string, given: Partial<NodeState> = {}) => {
    const state: NodeState = { ...reported, node, url: `http://${node}`, leads: node === "a", ...given };
    return { node, url: state.url, last_seen: 5, position: state.position, state, lag: 0 };
  };
  const wrong = (given: Partial<ClusterState>) =>
    examineNodes({ ...state, nodes: ["a", "b", "c"].map((name) => report(name)), ...given }).filter(
      ({ verdict }) => verdict !== "well",
    );
  test("says what to do about a log that is full, for which no node can take over", () => {
    const [finding] = wrong({ cluster: "chat", leader: null });
    expect(finding?.remedy).toContain("cluster_failed with 'maximum bytes exceeded'");
    expect(finding?.remedy).toContain("nats stream edit CONFAB_chat_LOG --max-bytes=-1");
    expect(finding?.remedy).toContain("max_file_store");
  });
  test("names the node to recover a lost log with, and those of which that is not known", () => {
    const nodes = [
      report("a"),
      report("b", { position: 12 }),
      { ...report("c"), position: 11, state: null, lag: null },
      // One of an earlier version says its position only in its state.
      { ...report("d", { position: 3 }), position: null },
    ];
    const [finding] = wrong({ leader: null, log: "lost", newest: 0, nodes });
    expect(finding?.remedy).toContain("run 'confab cluster recover --from b' beside its folder");
    expect(finding?.remedy).toContain("which is b at entry 12");
    expect(finding?.remedy).toContain("What c holds may be more than this says");
    expect(finding?.finding).toContain("a 9, b 12, c 11, d 3");
  });
  const silent = { ...report("b"), state: null, lag: null };
  const cases: [string, Partial<ClusterState>, Finding["verdict"], string][] = [
    [
      "no nats-server answers",
      { leader: null, log: "silent" },
      "problem",
      "Most nats-servers do not answer, so nobody leads. The nodes' databases are at these entries of it: a 9, b 9, c 9.",
    ],
    [
      "the log is lost",
      { leader: null, log: "lost", newest: 0 },
      "problem",
      "The log is lost (these nats-servers hold none of a cluster confab), and nobody leads. The nodes' databases are at these entries of it: a 9, b 9, c 9.",
    ],
    [
      "the log was set back",
      { leader: null, log: "lost", newest: 7 },
      "problem",
      "The log has lost entries, and nobody leads: it ends at entry 7. The nodes' databases are at these entries of it: a 9, b 9, c 9.",
    ],
    [
      "a node waits for the others to be upgraded",
      { nodes: [report("a"), report("b", { is_waiting: true, files: "" })] },
      "warning",
      "An upgrade to 1.0.0 is under way: a has it; b has it and serves nobody until no node of an earlier version leads, because its tables are new.",
    ],
    ["nobody leads", { leader: null }, "problem", "Nobody leads, so every write is refused."],
    [
      "a node is silent",
      { nodes: [report("a"), silent] },
      "warning",
      "b does not answer. It was last seen 1970-01-01 00:00 UTC.",
    ],
    [
      "a node lags",
      { nodes: [report("a"), { ...report("b"), lag: 5_000 }] },
      "warning",
      "b lacks 5000 entries of the log.",
    ],
    [
      "a clock is wrong",
      { nodes: [report("a"), report("b", { clock_ms: 1_772_530_205_000 })] },
      "warning",
      "They differ by 5 seconds: a 09:30:00, b 09:30:05.",
    ],
    [
      "a clock is an hour wrong",
      { nodes: [report("a"), report("b", { clock_ms: 1_772_533_800_000 })] },
      "problem",
      "They differ by 3600 seconds: a 09:30:00, b 10:30:00.",
    ],
    [
      "versions differ",
      { nodes: [report("a"), report("b", { version: "1.1.0" })] },
      "warning",
      "An upgrade to 1.1.0 is under way: b has it; a has 1.0.0.",
    ],
    [
      "a disk is full",
      { nodes: [report("a"), report("b", { free_bytes: 1e8 })] },
      "problem",
      "b has 0.1 GB free.",
    ],
    [
      "files are elsewhere",
      { nodes: [report("a"), report("b", { files: "" })] },
      "problem",
      "The nodes look for files in different places: a uses https://s3.example.com/chat, b uses its own disk.",
    ],
  ];

  test.each(cases)("where %s", (_, given, verdict, finding) => {
    expect(wrong(given)).toEqual([
      { check: expect.any(String), verdict, finding, remedy: expect.any(String) },
    ]);
  });

  test("is that all is well", () => expect(wrong({})).toEqual([]));
});

describe("what a node does, and since when", () => {
  const now = Date.UTC(2026, 10, 29, 10, 40);
  const at = Date.UTC(2026, 10, 29, 10, 32) / 1_000;
  const cases: [string, Partial<NodeState> | null, Partial<KnownNode>][] = [
    ["leads since 10:32 UTC", { leads: true }, {}],
    ["follows since 10:32 UTC", {}, { lag: 3 }],
    ["follows since 2026-11-28 10:32 UTC", { since: at - 86_400 }, {}],
    ["follows", { since: null }, {}],
    ["catching up, 1,200 entries behind", {}, { lag: 1_200 }],
    ["drained since 10:32 UTC", { is_draining: true }, { lag: 1_200 }],
    ["waits for the upgrade since 10:32 UTC", { is_waiting: true }, { lag: 1_200 }],
    ["joins by a snapshot since 10:32 UTC", { is_joining: true }, { lag: 1_200 }],
    ["has not followed the log since 10:32 UTC", { is_cut_off: true }, { lag: null }],
    ["has not followed the log since 10:32 UTC, 7 entries behind", { is_cut_off: true }, { lag: 7 }],
    ["not reached since 10:31 UTC", null, { last_seen: at - 60 }],
    ["has not run since 10:31 UTC", null, { node: "a", last_seen: at - 60 }],
    ["does not run", null, { node: "a", last_seen: 0 }],
  ];
  test.each(cases)("%s", (words, given, more) => {
    const found = given && { ...reported, node: "b", since: at, ...given };
    const known = { node: "b", url: "http://b", last_seen: at, position: 9, state: found, lag: 0, ...more };
    expect(doingOf(known, "a", now)).toBe(words);
  });
});

const asking = (who: ReturnType<typeof world>["anonymous"], what: string) =>
  who.request(`/metrics/nodes/${what}`, { method: "POST" });

describe("drain-node", () => {
  test("is for owners, and makes /health answer 503", async () => {
    const { as, anonymous } = node();
    expect((await asking(as("ada"), "drain")).status).toBe(400);
    expect((await anonymous.request("/health")).status).toBe(200);
    expect((await asking(as("olive"), "drain")).status).toBe(200);
    const health = await anonymous.request("/health");
    expect([health.status, await health.json()]).toMatchObject([
      503,
      { status: "failing", problem: "This node gives its work to the others, to be stopped." },
    ]);
  });
});

describe("undrain-node", () => {
  test("is for owners, and makes /health answer 200 again", async () => {
    const { as, anonymous } = node();
    await asking(as("olive"), "drain");
    expect((await asking(as("ada"), "undrain")).status).toBe(400);
    expect((await anonymous.request("/health")).status).toBe(503);
    expect((await asking(as("olive"), "undrain")).status).toBe(200);
    expect((await anonymous.request("/health")).status).toBe(200);
  });
});

describe("cluster remove", () => {
  test("says first what it removes, is for owners, and leaves an entry in the audit log", async () => {
    const w = node();
    setRunner(w.app.env, async (ctx, line) => runForRemotePerson(await allCommands(), ctx, line));
    const remove = (who: "olive" | "ada", given: { node: string; yes?: boolean }) =>
      w.as(who).post("/command", { command: "cluster remove", given });
    expect((await remove("ada", { node: "a", yes: true })).status).toBe(400);
    expect((await remove("olive", { node: "c", yes: true })).body.msg).toBe("The cluster has no node 'c'.");
    expect((await remove("olive", { node: "a b" })).status).toBe(400);
    const asked = await remove("olive", { node: "a" });
    expect(JSON.stringify(asked.body)).toContain(
      "This removes 1 node of the cluster: a. It was last seen 1970-01-01 00:00 UTC. Its data folder stays as it is. Go on?",
    );
    expect(w.removed).toEqual([]);
    const entries = async () =>
      (await w.as("olive").get("/audit_log", { event: "node_removed" })).body.entries;
    expect(await entries()).toEqual([]);
    const done = await remove("olive", { node: "a", yes: true });
    expect([done.status, done.body.document]).toEqual([200, { node: "a", nodes: ["b"] }]);
    expect(w.removed).toEqual(["a"]);
    expect(await entries()).toMatchObject([
      { event: "node_removed", actor_name: "Olive", data: { node: "a", url: "http://a" } },
    ]);
    expect((await remove("olive", { node: "a", yes: true })).status).toBe(400);
    const alone = world();
    setRunner(alone.app.env, async (ctx, line) => runForRemotePerson(await allCommands(), ctx, line));
    const given = { node: "a", yes: true };
    const single = await alone.as("olive").post("/command", { command: "cluster remove", given });
    expect(single.body.msg).toBe("This is a single server, not a cluster's node.");
  });
});

describe("cluster replace", () => {
  test("is for the operator, and leaves an entry in the audit log before it gives a token", async () => {
    const w = node();
    const token = "a".repeat(64);
    takeOperatorToken(w.app.system, token);
    setRunner(w.app.env, async (ctx, line) => runForRemotePerson(await allCommands(), ctx, line));
    const replace = async (name: string, authorization: string) => {
      const given = JSON.stringify({ node: name });
      const body = new URLSearchParams({ command: "cluster replace", given });
      const init = { method: "POST", headers: { authorization }, body };
      const answer = await w.app.fetch(new Request("http://localhost/api/v1/command", init));
      return { status: answer.status, body: (await answer.json()) as Json };
    };
    const entries = async () =>
      (await w.as("olive").get("/audit_log", { event: "node_token_made" })).body.entries;
    const olive = await w.as("olive").post("/command", { command: "cluster replace", given: { node: "c" } });
    expect(olive.status).toBe(400);
    const runs = await replace("b", operatorHeader(token, null));
    expect([runs.status, runs.body.msg]).toEqual([400, "b runs at 10.0.0.2: stop it first."]);
    // An administrator may not, also next to the folder.
    expect((await replace("c", operatorHeader(token, w.user("ada").email))).status).toBe(400);
    expect(await entries()).toEqual([]);
    const done = await replace("c", operatorHeader(token, null));
    expect([done.status, done.body.document]).toEqual([
      200,
      { node: "c", join: "confab serve --join TOKEN" },
    ]);
    expect(await entries()).toMatchObject([
      { event: "node_token_made", actor_name: "Olive", data: { node: "c", address: "10.0.0.3" } },
    ]);
    expect(JSON.stringify(await entries())).not.toContain("TOKEN");
  });
});

describe("make-snapshot", () => {
  test("is for owners, and returns what was stored", async () => {
    const { as } = node();
    const make = (who: ReturnType<typeof as>) => who.request("/metrics/nodes/snapshot", { method: "POST" });
    expect((await make(as("ada"))).status).toBe(400);
    expect(await (await make(as("olive"))).json()).toMatchObject({ node: "a", position: 8, bytes: 4_096 });
    const { as: alone } = world();
    expect((await make(alone("olive"))).status).toBe(400);
  });
});

describe("the operator next to a node", () => {
  const token = "a".repeat(64);
  const asking = () => {
    const { app, user } = world();
    takeOperatorToken(app.system, token);
    const ask = async (authorization: string, path = "/api/v1/users/me") => {
      const answer = await app.fetch(new Request(`http://localhost${path}`, { headers: { authorization } }));
      return { status: answer.status, body: (await answer.json()) as Json };
    };
    return { app, user, ask };
  };

  test("acts as the first owner, or as the named user", async () => {
    const { user, ask } = asking();
    expect((await ask(operatorHeader(token, null))).body.user_id).toBe(user("olive").id);
    const named = operatorHeader(token, user("mel").email);
    expect((await ask(named)).body.user_id).toBe(user("mel").id);
    expect((await ask(operatorHeader(token, "nobody@example.com"))).status).toBeGreaterThanOrEqual(400);
  });

  test("needs the token of the folder", async () => {
    const { ask } = asking();
    for (const wrong of ["", "b".repeat(64), token.slice(1), `${token}a`]) {
      const { status, body } = await ask(operatorHeader(wrong, null));
      expect([status, body.msg]).toEqual([401, "The operator's token is not that of this cluster."]);
    }
  });

  test("is ignored by a standalone server", async () => {
    const { app } = world();
    const headers = { authorization: operatorHeader(token, null) };
    const answer = await app.fetch(new Request("http://localhost/api/v1/users/me", { headers }));
    expect(answer.status).toBe(401);
  });

  test("is required for the operator's commands", async () => {
    const { app } = asking();
    setRunner(app.env, async (_, { isOperator }) => ({ document: { isOperator }, isAudited: false }));
    const run = async (path: string, headers: Record<string, string>) => {
      const body = new URLSearchParams({ command: "stats", given: "{}" });
      const answer = await app.fetch(
        new Request(`http://localhost${path}`, { method: "POST", headers, body }),
      );
      return ((await answer.json()) as Json).document;
    };
    const operator = { authorization: operatorHeader(token, null) };
    expect(await run("/api/v1/command", operator)).toEqual({ isOperator: true });
    const other = world();
    takeOperatorToken(other.app.system, token);
    setRunner(other.app.env, async (_, { isOperator }) => ({ document: { isOperator }, isAudited: false }));
    const asked = await other.as("olive").post("/command", { command: "stats", given: {} });
    expect(asked.body.document).toEqual({ isOperator: false });
  });

  test("reaches other people's keys and sessions; over the network, an owner does not", async () => {
    const { app, user } = asking();
    const other = world();
    for (const { env } of [app, other.app])
      setRunner(env, async (ctx, line) => runForRemotePerson(await allCommands(), ctx, line));
    for (const command of ["user keys", "user sessions"]) {
      const given = { email: user("mel").email, end_all: true, yes: true };
      const answer = await app.fetch(
        new Request("http://localhost/api/v1/command", {
          method: "POST",
          headers: { authorization: operatorHeader(token, null) },
          body: new URLSearchParams({ command, given: JSON.stringify(given) }),
        }),
      );
      const { document, msg } = (await answer.json()) as Json;
      expect([msg, document?.email]).toEqual(["", user("mel").email]);
      const refused = await other.as("olive").post("/command", { command, given });
      expect([refused.status, refused.body.msg]).toEqual([
        400,
        expect.stringContaining("Over the network you reach only your own"),
      ]);
    }
  });
});

describe("the console's screen Nodes", () => {
  const screenOf = async (w: ReturnType<typeof world>) => {
    const console = stage(w, "olive", { isServed: true, isNode: true });
    await console.press("M");
    return console;
  };

  test("shows who leads, and how far each is", async () => {
    const w = node();
    const nodes = [
      { ...state.nodes[0], state: { ...reported, leads: true, position: 9 }, lag: 0 },
      {
        ...state.nodes[0],
        node: "b",
        url: "http://b",
        state: { ...reported, node: "b", position: 7 },
        lag: 2,
      },
      { ...state.nodes[0], node: "c", url: "http://c" },
    ] as ClusterState["nodes"];
    joinAs(w.app.system, { ...membership(w.app.system), state: async () => ({ ...state, nodes }) });
    const { sees, press } = await screenOf(w);
    const shown = await sees("Cluster confab: a leads. The log ends at entry 9.");
    expect(shown).toMatch(/a +leads +1\.0\.0 +9 +0/);
    expect(shown).toMatch(/b +follows +1\.0\.0 +7 +2/);
    expect(shown).toMatch(/c +not reached/);
    await press("m");
    await sees("a stored a snapshot of entry 8");
  });

  test("marks a node that begins to lead as changed, and none for its position, its lag or its disk", async () => {
    const w = node();
    const now = { ...reported };
    const nodes = () =>
      [{ ...state.nodes[0], state: { ...now }, lag: now.position % 7 }] as ClusterState["nodes"];
    joinAs(w.app.system, { ...membership(w.app.system), state: async () => ({ ...state, nodes: nodes() }) });
    const { sees, controller, session } = await screenOf(w);
    await sees(/a +follows +1\.0\.0 +9 +2/);
    Object.assign(now, { position: 13, appended: 8, free_bytes: 40e9 });
    session.sources.refresh("nodes");
    await sees(/a +follows +1\.0\.0 +13 +6 +[\d.]+ +40\.0 GB/);
    expect(controller.state.changed.size).toBe(0);
    now.leads = true;
    session.sources.refresh("nodes");
    await sees(/▸ a +leads/);
    expect([...controller.state.changed]).toEqual(["a"]);
  });

  test("says when the log is lost, and shows what each database holds", async () => {
    const w = node();
    const nodes = [
      { ...state.nodes[0], state: { ...reported, position: 9 }, position: 9 },
      { ...state.nodes[0], node: "c", url: "http://c", position: 7 },
    ] as ClusterState["nodes"];
    const lost = { ...state, leader: null, log: "lost", newest: 0, nodes } as const;
    joinAs(w.app.system, { ...membership(w.app.system), state: async () => lost });
    const { sees } = await screenOf(w);
    const shown = await sees("Cluster confab: the log is lost");
    expect(shown).toContain("nobody leads.");
    expect(shown).toContain("'confab cluster status' says what to do.");
    expect(shown).toMatch(/a +follows +1\.0\.0 +9/);
    expect(shown).toMatch(/c +not reached +7/);
  });

  test("says at a single server that it is none", async () => {
    const { sees } = await screenOf(world());
    await sees("This is a single server, not a cluster's node.");
  });
});
