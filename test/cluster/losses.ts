// What docs/cluster.md says to do after a loss of the log, with the executable. Part of `npm run test:cluster`.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { type ClusterState, clusterState } from "@/operations/nodes/schema.ts";
import { cleanUp, confab, json } from "../support/executable.ts";
import { argsOf } from "./guide.ts";
import { natsBinary, startServers, until } from "./machines.ts";
import { Trio } from "./trio.ts";

const binary = natsBinary("nobody lost the log");
let trio: Trio;

afterEach(() => trio.end());
afterAll(() => cleanUp());

const folder = (at: number) => trio.folders[at] as string;
const status = async (at: number) =>
  clusterState.parse(await json(argsOf("confab cluster status", folder(at))));
const shown = async (at: number) => (await confab(argsOf("confab cluster status", folder(at)))).stdout;
const positionsIn = ({ nodes }: ClusterState) => nodes.map(({ node, position }) => [node, position]);
const highestFirst = ({ nodes }: ClusterState) =>
  nodes
    .map(({ node, position }) => ({ node, position: position ?? 0 }))
    .toSorted((a, b) => b.position - a.position);
const statesIn = ({ nodes }: ClusterState) => nodes.map(({ node, state }) => [node, state !== null]);

async function problemOfNodes(at: number): Promise<Finding | undefined> {
  const { stdout } = await confab([...argsOf("confab doctor", folder(at)), "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.find(({ check, verdict }) => check === "Nodes" && verdict === "problem");
}

async function send(at: number, content: string): Promise<number> {
  const { user_id } = await trio.call(at, "GET", "users/me");
  const sent = await trio.call(at, "POST", "messages", {
    type: "direct",
    to: JSON.stringify([user_id]),
    content,
  });
  expect(sent).toMatchObject({ result: "success" });
  return sent.id;
}

/** Until each node has all entries. */
const level = (at: number, count = 3) =>
  until("all nodes are level", async () => {
    const state = await status(at);
    return state.nodes.length === count && state.nodes.every(({ lag }) => lag === 0) && state;
  });

async function stop(at: number): Promise<void> {
  expect(await trio.running[at]?.end("SIGTERM")).toBe(0);
  trio.running[at] = null;
}

describe.skipIf(!binary)("the log is lost", () => {
  test("with the stores of all nats-servers: status says which node holds the most, and the log starts over with it", async () => {
    trio = new Trio(binary ?? "", {});
    await trio.begin();
    await trio.leader();
    await level(0);
    // Of what c gets last, the others need not hear before it dies.
    const last = await send(await trio.leader(), "c has this");
    await until("c has it", async () => (await trio.call(2, "GET", `messages/${last}`)).result === "success");
    await trio.kill(2);
    const behind = (await status(0)).newest;
    const kept = await send(await trio.leader(), "c lacks this");
    await until("both have it", async () => {
      const { nodes, newest } = await status(0);
      return newest > behind && nodes.every(({ node, lag }) => node === "c" || lag === 0);
    });
    for (const one of trio.servers) await one.kill();

    // Without NATS, the nodes ask each other.
    const silent = await until("nobody leads", async () => {
      const state = await status(0);
      return state.log === "silent" && state.leader === null && state;
    });
    // An entry that came while NATS was killed may be in one of them alone.
    const [first, second] = highestFirst(silent);
    const { node: best, position: newest } = first ?? { node: "", position: 0 };
    expect(newest).toBe(silent.newest);
    expect(newest).toBeGreaterThan(behind);
    expect(statesIn(silent)).toEqual([
      ["a", true],
      ["b", true],
      ["c", false],
    ]);
    expect(await shown(0)).toContain("Start the nats-servers");
    expect((await problemOfNodes(0))?.finding).toContain("Most nats-servers do not answer, so nobody leads.");
    // Next to the one that does not run, the command asks the others, too.
    const besideC = await status(2);
    expect(besideC).toMatchObject({ asked: "c", log: "silent", leader: null });
    expect(positionsIn(besideC)).toEqual([...positionsIn(silent).slice(0, 2), ["c", expect.any(Number)]]);
    const early = await confab(["cluster", "recover", "--from", "c", "--yes", "--data", folder(2)]);
    expect(early).toMatchObject({ status: 1, stderr: expect.stringContaining("nats-server") });

    for (const { store } of trio.servers) rmSync(store, { recursive: true });
    await startServers(trio.servers);
    const lost = await until("the nodes reach NATS", async () => {
      const state = await status(0);
      return state.log === "lost" && state;
    });
    expect(lost).toMatchObject({ leader: null, newest: 0 });
    expect(positionsIn(lost).slice(0, 2)).toEqual(positionsIn(besideC).slice(0, 2));
    expect(lost.nodes[2]?.position).toBeLessThanOrEqual(besideC.nodes[2]?.position ?? 0);
    const said = await shown(0);
    expect(said).toContain(
      "the log is lost (these nats-servers hold none of a cluster confab), and nobody leads.",
    );
    expect(said).toMatch(
      new RegExp(`^${best} +(follows|has not followed the log) since .* UTC +${newest} +unknown`, "m"),
    );
    expect(said).toContain(`which is ${best} at entry ${newest}`);
    expect(said).toContain("What c holds may be more than this says");
    expect(await problemOfNodes(1)).toMatchObject({
      finding: expect.stringContaining(
        "The log is lost (these nats-servers hold none of a cluster confab), and nobody leads.",
      ),
      remedy: expect.stringContaining(`run 'confab cluster recover --from ${best}' beside its folder`),
    });

    // A node that is started now changes nothing about that.
    await trio.start(2);
    expect(
      await until("all three answer", async () => {
        const state = await status(0);
        return state.nodes.every((one) => one.state) && state;
      }),
    ).toMatchObject({ log: "lost", leader: null, newest: 0 });
    await stop(2);

    // The wrong node, or one while others run, is refused or warned of.
    const wrong = await confab(["cluster", "recover", "--from", "c", "--data", folder(2)]);
    expect(wrong).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${best} was at entry ${newest}, so it holds more`),
    });
    const others = await confab(["cluster", "recover", "--from", "c", "--yes", "--data", folder(2)]);
    expect(others).toMatchObject({ status: 1 });
    expect(others.stderr).toContain("Other nodes run: a at entry ");
    expect(others.stderr).toContain(`${second?.node} at entry ${second?.position}`);

    await stop(0);
    await stop(1);
    expect(await status(0)).toMatchObject({ log: "lost", leader: null });
    expect(positionsIn(await status(2))).toEqual(positionsIn(besideC));
    expect(await problemOfNodes(0)).toMatchObject({
      remedy: expect.stringContaining(`confab cluster recover --from ${best}`),
    });

    const from = trio.names.indexOf(best as "a");
    const recover = argsOf("confab cluster recover --from a", folder(from)).map((word) =>
      word === "a" ? best : word,
    );
    const begun = await json([...recover, "--yes"]);
    expect(begun).toMatchObject({ node: best, position: newest + 1 });
    await trio.start(from);
    for (const at of [0, 1, 2].filter((one) => one !== from)) {
      const joined = await json([...argsOf("confab cluster join", folder(at)), "--yes"]);
      expect(joined).toMatchObject({ made_by: best, messages_beyond: 0 });
      await trio.start(at);
    }
    expect(await level(1)).toMatchObject({ log: "there" });
    const later = await send(await trio.leader(), "after the loss");
    await level(1);
    for (const at of trio.names.keys()) {
      for (const id of [kept, later]) {
        await until("the node has the message", async () => {
          return (await trio.call(at, "GET", `messages/${id}`)).result === "success";
        });
      }
    }
  }, 300_000);

  test("in part, because all nats-servers were set back; with their stores back, nothing is lost", async () => {
    trio = new Trio(binary ?? "", {});
    await trio.begin();
    const before = (await level(0)).newest;
    for (const one of trio.servers) await one.kill();
    for (const one of trio.servers) one.keepStore();
    await startServers(trio.servers);
    const id = await until("a node leads", async () =>
      send(await trio.leader(), "lost by the log").catch(() => null),
    );
    const { newest } = await level(0);
    for (const one of trio.servers) await one.kill();
    for (const one of trio.servers) one.exchangeStores();
    await startServers(trio.servers);

    const lost = await until("it is said", async () => {
      const state = await status(0);
      return state.log === "lost" && state.leader === null && state;
    });
    expect(lost.newest).toBeLessThan(newest);
    for (const [, position] of positionsIn(lost)) expect(position).toBeGreaterThanOrEqual(newest);
    expect(lost.newest).toBeGreaterThanOrEqual(before);
    expect(await shown(0)).toContain(
      `the log has lost entries, and nobody leads: it ends at entry ${lost.newest}.`,
    );

    for (const one of trio.servers) await one.kill();
    for (const one of trio.servers) one.exchangeStores();
    await startServers(trio.servers);
    await until("a node leads", async () => (await status(1)).leader !== null);
    expect(await trio.call(2, "GET", `messages/${id}`)).toMatchObject({ result: "success" });
  }, 300_000);
});

describe.skipIf(!binary)("two nodes with a third nats-server as witness", () => {
  test("go on without any one of the three machines", async () => {
    trio = new Trio(binary ?? "", { nodes: 2 });
    await trio.begin();
    await level(0, 2);
    const leads = (at: number) =>
      until("the other one leads", async () => (await status(at)).leader === trio.names[at]);
    const ids: number[] = [];
    for (const lost of [0, 1, 2]) {
      await trio.servers[lost]?.kill();
      if (lost < 2) await trio.kill(lost);
      const left = lost === 0 ? 1 : 0;
      if (lost < 2) await leads(left);
      ids.push(await until("it sends", () => send(left, `without machine ${lost}`).catch(() => null)));
      trio.servers[lost]?.start();
      if (lost < 2) await trio.start(lost);
      await level(left, 2);
    }
    for (const at of [0, 1]) {
      for (const id of ids)
        expect(await trio.call(at, "GET", `messages/${id}`)).toMatchObject({ result: "success" });
    }
  }, 300_000);
});
