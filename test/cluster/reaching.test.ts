// Whether nodes find out that others do not reach them at their node_url.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { examineUrls } from "@/cluster/examination/urls.ts";
import { answeringTries, Reaching, tryAt } from "@/cluster/reaching.ts";
import type { Leader } from "@/cluster/shared-log.ts";
import type { Log, LogFields } from "@/kernel/lib/log.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";
import { Passage } from "../support/passage.ts";
import { serveFetch } from "../support/plain-server.ts";
import { freePorts } from "../support/ports.ts";
import { until } from "../support/waiting.ts";
import { MemoryLog, MemoryNode } from "./memory-log.ts";

const secret = "known to the nodes alone";
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function serving(fetch: (request: Request) => Response | Promise<Response>): Promise<string> {
  const server = await serveFetch(fetch);
  ending.push(() => server.stop());
  return `http://127.0.0.1:${server.port}`;
}

const wrongUrl = "http://127.0.0.1:1";
const nothingElse = () => new Response("nothing", { status: 404 });

describe("the address of a node", () => {
  const tried = (node: string, id = `${node}1`) =>
    serving(answeringTries(nothingElse, { me: { node, id, url: "" }, secret }) as typeof nothingElse);
  const at = async (url: string | Promise<string>, by = secret) =>
    tryAt({ node: "a", id: "a1", url: await url }, { secret: by });

  test("is right if this process answers there, and tells whose it is otherwise", async () => {
    expect(await at(tried("a"))).toEqual({ node: "a", isRight: true });
    expect(await at(tried("a", "another process"))).toEqual({ node: "a", isRight: false });
    expect(await at(tried("b"))).toEqual({ node: "b", isRight: false });
  });

  test("is wrong where something else answers, or nothing", async () => {
    expect(await at(serving(() => Response.json({ node: 1 })))).toMatchObject({
      fault: "what answers there is no node of this cluster (status 200)",
    });
    const [port] = await freePorts(1);
    expect(await at(`http://127.0.0.1:${port}`)).toEqual({ fault: expect.stringContaining("connect") });
    const silent = serving(() => new Promise<Response>(() => {}));
    expect(await at(silent)).toEqual({ fault: "no answer came in time" });
  });

  test("says nothing to those who do not know the secret, and the secret is sent to nobody", async () => {
    expect(await at(tried("a"), "of another cluster")).toMatchObject({
      fault: "what answers there is no node of this cluster (status 403)",
    });
    const received: string[] = [];
    await at(
      serving((request) => {
        received.push(JSON.stringify([...request.headers]));
        return nothingElse();
      }),
    );
    expect(received).toHaveLength(1);
    expect(received[0]).not.toContain(secret);
  });

  test("answers requests of clients as before", async () => {
    expect(await (await fetch(await tried("a"))).text()).toBe("nothing");
  });
});

describe("nodes that try each other's addresses", () => {
  let said: string[] = [];
  let log: Log;
  beforeEach(() => {
    const mine: string[] = [];
    said = mine;
    const line =
      (level: string) =>
      (event: string, fields: LogFields = {}) =>
        void mine.push([level, event, fields.node, fields.error ?? ""].join(" "));
    log = { info: line("info"), warn: line("warn"), error: line("error"), flush: () => {} };
  });

  /** Starts a node; `where` says at which address it is to be reached, if not where it is. */
  async function started(
    shared: MemoryLog,
    name: string,
    where: (own: string) => string | Promise<string> = (own) => own,
  ) {
    let me = { node: name, id: "", url: "" };
    const own = await serving((request) => answeringTries(nothingElse, { me, secret })(request));
    const leader: Leader = { node: name, url: await where(own) };
    const opened = shared.shared();
    const one = new MemoryNode(opened, leader, { trial: (of) => reaching.trial(of) });
    me = { ...leader, id: one.node.id };
    const how = { lastingMs: 100, leadingMs: 20, followingMs: 20 };
    const reaching = new Reaching({ me, talk: opened.talk, secret, log, node: one.node }, how);
    await one.start();
    ending.push(async () => {
      await reaching.stop();
      await one.node.stop();
    });
    return { ...one, node: one.node, reaching, own };
  }

  test("let another one lead if they do not reach the leader, and say so", async () => {
    const shared = new MemoryLog();
    let passage: Passage | null = null;
    const through = async (own: string) => {
      passage = await Passage.to(Number(new URL(own).port));
      ending.push(() => passage?.close());
      return `http://127.0.0.1:${passage.port}`;
    };
    const a = await started(shared, "a", through);
    await until(() => a.node.leads, "a leads");
    await a.reaching.start();
    const b = await started(shared, "b");
    await b.reaching.start();
    expect(a.node.leads).toBe(true);

    (passage as Passage | null)?.cut();
    await until(() => b.node.leads, "b leads");
    expect(a.node.leads).toBe(false);
    expect(said).toContain("warn cluster_node_unreached a no answer came in time");
    expect(said).toContain("error cluster_node_url_fails a b: no answer came in time");
    (passage as Passage | null)?.mend();
    await until(() => said.includes("info cluster_node_url_well a "), "a is reached again");
    expect(a.node.isLessReached).toBe(false);
  });

  test("lead on where no other node is reached better", async () => {
    const shared = new MemoryLog();
    const wrong = () => wrongUrl;
    const a = await started(shared, "a", wrong);
    await until(() => a.node.leads, "a leads");
    await a.reaching.start();
    expect(said).toEqual([expect.stringMatching(/^error cluster_node_url_fails a .*connect/)]);
    const b = await started(shared, "b", wrong);
    await b.reaching.start();
    await until(() => said.some((one) => one.startsWith("error cluster_node_url_fails b a: ")), "b says so");
    await until(() => said.some((one) => one.startsWith("error cluster_node_url_fails a b: ")), "a says so");
    expect([a.node.leads, a.node.term]).toEqual([true, 1]);
  });

  test("do not start at the address of another one", async () => {
    const shared = new MemoryLog();
    const a = await started(shared, "a");
    const b = await started(shared, "b", () => a.own);
    await expect(b.reaching.refuseOther()).rejects.toThrow(
      `The address ${a.own} leads to the node a, and this one is b. Set node_url to the address`,
    );
  });

  test("are examined by the doctor", async () => {
    const shared = new MemoryLog();
    const all: Awaited<ReturnType<typeof started>>[] = [];
    const names = ["a", "b", "c"];
    for (const name of names)
      all.push(await started(shared, name, name === "c" ? () => wrongUrl : undefined));
    const { talk } = shared.shared();
    const states = async () =>
      names.map((node, at) => ({ node, url: node === "c" ? wrongUrl : all[at]?.own })) as NodeState[];
    const [found, ...more] = await examineUrls({ ...talk, states });
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      verdict: "problem",
      finding: expect.stringMatching(/^a and b do not reach c at http:\/\/127\.0\.0\.1:1: .*connect\.$/),
    });
    const well = async () => (await states()).filter(({ node }) => node !== "c");
    expect(await examineUrls({ ...talk, states: well })).toMatchObject([
      { verdict: "well", finding: "a, b are reached by the others at their node_url." },
    ]);
    expect(await examineUrls({ ...talk, states: async () => [] }, 10)).toEqual([]);
  });
});
