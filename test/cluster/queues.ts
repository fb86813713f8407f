// Event queues that survive their node. Part of `npm run test:cluster`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { Json } from "../support/requests.ts";
import { type Account, load, repeated } from "./load.ts";
import { Cluster, type Node, natsBinary, until } from "./machines.ts";

const folder = mkdtempSync(join(tmpdir(), "confab-queues-"));
const binary = natsBinary("nobody tried event queues that survive their node");

let cluster: Cluster;
let olive: Account;
let mel: Account & { id: number };

afterAll(async () => {
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A client with one queue, which polls the given node. */
class Listener {
  readonly events: Json[] = [];
  queueId = "";

  constructor(private readonly who: Account) {}

  static async at(
    node: Node,
    who: Account,
    params: object = { event_types: ["message"] },
  ): Promise<Listener> {
    const listener = new Listener(who);
    const answer = await node.call(who, "POST", "register", { ...params });
    expect(answer).toMatchObject({ result: "success", last_event_id: -1 });
    listener.queueId = answer.queue_id;
    return listener;
  }

  get last(): number {
    return this.events.at(-1)?.id ?? -1;
  }

  get contents(): string[] {
    return this.events.flatMap(({ message }) => (message ? [message.content.replaceAll(/<\/?p>/g, "")] : []));
  }

  ask(node: Node, more: object = {}): Promise<Json> {
    const params = { queue_id: this.queueId, last_event_id: this.last, ...more };
    return node.call(this.who, "GET", "events", params, 20_000);
  }

  /** Polls once; returns nothing if the node dies meanwhile. */
  async poll(node: Node, more: object = {}): Promise<void> {
    const answer = await this.ask(node, more).catch(() => null);
    if (!answer || answer.code === "SERVER_NOT_READY") return void (await Bun.sleep(50));
    expect(answer).toMatchObject({ result: "success", queue_id: this.queueId });
    for (const one of answer.events) {
      expect(one.id).toBeGreaterThan(this.last);
      this.events.push(one);
    }
  }

  /** Polls, each time at the node that `choose` returns, until an event with this content arrives. */
  async listen(content: string, choose: () => Node): Promise<void> {
    const end = performance.now() + 60_000;
    while (!this.contents.includes(content)) {
      expect(performance.now()).toBeLessThan(end);
      await this.poll(choose());
    }
  }
}

async function say(node: Node, content: string, who = olive): Promise<void> {
  const params = { type: "stream", to: "general", topic: "talk", content };
  const sent = await until("a message is sent", async () => {
    const answer = await node.call(who, "POST", "messages", params);
    return answer.result === "success" && answer;
  });
  expect(sent).toMatchObject({ result: "success" });
}

interface Person {
  readonly sent: string[];
  readonly received: string[];
  /** How long each call to send took, in milliseconds. */
  readonly pauses: number[];
  /** What the client could not do: errors of its calls to send, and while it waited for events. */
  readonly problems: string[];
  /** How often it has called to send. */
  readonly calls: readonly string[];
  /** Sends no more. */
  end(): Promise<void>;
  stop(): Promise<void>;
}

/** A person at npm's zulip-js, who talks to another through one node. */
function converse(node: Node, who: Account, partner: { id: number }, name: string): Person {
  const config = { username: who.email, apiKey: who.key, realm: node.url };
  const settings = JSON.stringify({ config, partner: partner.id, name });
  const child = Bun.spawn(["node", join(import.meta.dir, "js-talk.mjs"), settings], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  const person = {
    sent: [] as string[],
    received: [] as string[],
    pauses: [] as number[],
    problems: [] as string[],
    calls: [] as string[],
  };
  const { promise: over, resolve } = Promise.withResolvers<void>();
  createInterface({ input: Readable.fromWeb(child.stderr as never) }).on("line", (line) => {
    const said = line.startsWith("{") ? JSON.parse(line) : { problem: line };
    if (said.sent) person.sent.push(said.sent);
    if (said.received) person.received.push(said.received.replaceAll(/<\/?p>/g, ""));
    if (said.ms) person.pauses.push(said.ms);
    if (said.problem) person.problems.push(said.problem);
    if (said.sending) person.calls.push(said.sending);
    if (said.over) resolve();
  });
  return {
    ...person,
    async end() {
      child.stdin.end();
      await over;
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

const others = (...but: Node[]) => cluster.nodes.filter((one) => !but.includes(one));

function expectEach(listener: Listener, acknowledged: Iterable<string>): void {
  const { contents } = listener;
  expect(new Set(contents).size).toBe(contents.length);
  const received = new Set(contents);
  expect([...acknowledged].filter((content) => !received.has(content))).toEqual([]);
}

const password = "correct horse battery";

/** Gives Mel a new key. */
async function logIn(): Promise<void> {
  const login = { username: mel.email, password };
  const answer = await cluster.nodes[0]?.call(olive, "POST", "fetch_api_key", login);
  mel = { ...mel, key: answer?.api_key };
}

const gone = { result: "error", code: "BAD_EVENT_QUEUE_ID" };

describe.skipIf(!binary)("an event queue", () => {
  beforeAll(async () => {
    const started = await Cluster.start(folder, binary ?? "", { beginning: "init" });
    cluster = started.cluster;
    olive = { email: "olive@example.com", key: started.key };
    const [node] = cluster.nodes as [Node];
    await node.call(olive, "POST", "users/me/subscriptions", { subscriptions: [{ name: "general" }] });
    const made = await node.call(olive, "POST", "users", {
      email: "mel@example.com",
      password,
      full_name: "Mel",
    });
    expect(made).toMatchObject({ result: "success" });
    mel = { email: "mel@example.com", key: "", id: made.user_id };
    await logIn();
    const params = { subscriptions: [{ name: "general" }] };
    expect(await node.call(mel, "POST", "users/me/subscriptions", params)).toMatchObject({
      result: "success",
    });
  });

  for (const role of ["follower", "leader"] as const) {
    const title = `the ${role} that holds a queue is killed: the queue goes on at another node`;
    repeated(
      title,
      () => cluster,
      async (n) => {
        const node = await cluster[role]();
        const [other] = others(node) as [Node];
        // No other client has asked for the same, so the other node has to read it from NATS.
        const presence_history_limit_days = 100 * (role === "leader" ? 1 : 2) + n;
        const listener = await Listener.at(node, mel, {
          event_types: ["message"],
          presence_history_limit_days,
        });
        const sending = await load(cluster, olive, { hasListeners: false });
        let at = node;
        const received = listener.listen(`${role} ${n} ends`, () => at);
        await until("events arrive", () => listener.events.length > 30);
        await node.kill();
        at = other;
        const before = listener.events.length;
        await until("events arrive again", () => listener.events.length > before + 30);
        await sending.stop();
        await say(other, `${role} ${n} ends`);
        await received;
        expectEach(listener, sending.acknowledged.keys());
        node.start();
        await node.ready();
      },
    );
  }

  repeated(
    "the leader is killed under a conversation: the queues of existing clients go on by themselves",
    () => cluster,
    async (n) => {
      const leader = await cluster.leader();
      const [one, other] = others(leader) as [Node, Node];
      const me = await one.call(olive, "GET", "users/me");
      const talk = { ...olive, id: me.user_id };
      const [here, there] = [converse(one, talk, mel, `olive ${n}`), converse(other, mel, talk, `mel ${n}`)];
      const both = [here, there];
      await until("both hear each other", () => both.every(({ received }) => received.length > 5));
      const calls = both.map((person) => person.calls.length);
      await leader.kill();
      const before = both.map(({ received }) => received.length);
      await until("both send while nobody leads", () =>
        both.every((person, at) => person.calls.length > (calls[at] ?? 0)),
      );
      await until("both hear each other again", () =>
        both.every(({ received }, at) => received.length > (before[at] ?? 0) + 20),
      );
      await Promise.all(both.map((person) => person.end()));
      const partners = [
        [here, there],
        [there, here],
      ] as const;
      for (const [speaker, listener] of partners) {
        await until("all is heard", () => listener.received.at(-1) === speaker.sent.at(-1));
        // Who speaks first may not be listened to yet.
        const from = speaker.sent.indexOf(listener.received[0] ?? "");
        expect(listener.received).toEqual(speaker.sent.slice(from));
        expect(speaker.problems).toEqual([]);
        console.log(`The longest call to send took ${Math.round(Math.max(...speaker.pauses))} ms`);
      }
      for (const person of both) await person.stop();
      leader.start();
      await leader.ready();
    },
  );

  test("is served by all nodes in turn: every event once, with ascending IDs, whichever node is ahead", async () => {
    const [first] = cluster.nodes as [Node];
    const listener = await Listener.at(first, mel, { event_types: ["message", "typing", "presence"] });
    const sending = await load(cluster, olive, { hasListeners: false });
    let turn = 0;
    const next = () => cluster.nodes[turn++ % 3] as Node;
    const received = listener.listen("in turn ends", next);
    for (let n = 0; n < 30; n++) {
      const op = n % 2 === 0 ? "start" : "stop";
      const typing = await next().call(olive, "POST", "typing", { op, type: "direct", to: [mel.id] });
      expect(typing).toMatchObject({ result: "success" });
      await Bun.sleep(20);
    }
    await sending.stop();
    await say(first, "in turn ends");
    await received;
    expectEach(listener, sending.acknowledged.keys());
    expect(listener.events.filter(({ type }) => type === "typing").length).toBeGreaterThan(0);
    expect(turn).toBeGreaterThan(40);
  }, 300_000);

  test("goes on when its node is stopped for an upgrade", async () => {
    const node = await cluster.follower();
    const [other] = others(node) as [Node];
    const listener = await Listener.at(node, mel);
    let at = node;
    const received = listener.listen("after the upgrade", () => at);
    await say(node, "before the upgrade");
    await until("it hears", () => listener.contents.includes("before the upgrade"));
    const stopped = node.stop();
    at = other;
    await stopped;
    await say(other, "after the upgrade");
    await received;
    expect(listener.contents).toEqual(["before the upgrade", "after the upgrade"]);
    node.start();
    await node.ready();
  }, 300_000);

  test("goes on at a node that was started again meanwhile, and at all if each was", async () => {
    const [first, ...rest] = cluster.nodes as [Node, ...Node[]];
    const listener = await Listener.at(first, mel);
    const contents = Array.from({ length: 50 }, (_, n) => `before the start ${n}`);
    for (const content of contents) await say(first, content);
    for (const node of [...rest, first]) {
      await node.stop();
      node.start();
      await node.ready();
    }
    let turn = 0;
    await say(first, "after all");
    await listener.listen("after all", () => cluster.nodes[turn++ % 3] as Node);
    expect(listener.contents).toEqual([...contents, "after all"]);
  }, 300_000);

  test("belongs to its user, on every node", async () => {
    const [node, ...rest] = cluster.nodes as [Node, ...Node[]];
    const listener = await Listener.at(node, mel);
    await say(node, "for Mel");
    const { queueId: queue_id } = listener;
    for (const one of cluster.nodes) {
      const asked = { queue_id, last_event_id: -1, dont_block: true };
      expect(await one.call(olive, "GET", "events", asked)).toMatchObject(gone);
      expect(await one.call(olive, "DELETE", "events", { queue_id })).toMatchObject(gone);
      for (const wrong of ["*", ">", "1-x", `${queue_id}0`, "../leader"]) {
        expect(await one.call(mel, "GET", "events", { ...asked, queue_id: wrong })).toMatchObject(gone);
      }
    }
    for (const one of rest) {
      const missing = await one.call(mel, "GET", "events", { queue_id, dont_block: true });
      expect(missing).toMatchObject({ result: "error", code: "REQUEST_VARIABLE_MISSING" });
      const future = { queue_id, last_event_id: 2 ** 31, dont_block: true };
      expect(await one.call(mel, "GET", "events", future)).toMatchObject({
        result: "error",
        code: "BAD_REQUEST",
        msg: `Event ${2 ** 31} was not in this queue`,
      });
    }
    for (const one of rest) await listener.poll(one, { dont_block: true });
    expect(listener.contents).toEqual(["for Mel"]);
  }, 300_000);

  test("that a client ends on one node is closed on all", async () => {
    const [first, second, third] = cluster.nodes as [Node, Node, Node];
    const listener = await Listener.at(first, mel);
    await listener.poll(second, { dont_block: true });
    const waiting = listener.ask(second);
    const { queueId: queue_id } = listener;
    const ended = await third.call(mel, "DELETE", "events", { queue_id });
    expect(ended).toMatchObject({ result: "success" });
    expect(await waiting).toMatchObject({ result: "success", events: [] });
    for (const one of cluster.nodes) {
      await until(`${one.name} has ended it`, async () => {
        const answer = await listener.ask(one, { dont_block: true });
        return answer.code === "BAD_EVENT_QUEUE_ID";
      });
      expect(await one.call(mel, "DELETE", "events", { queue_id })).toMatchObject(gone);
    }
  }, 300_000);

  test("of a deactivated account is not reopened on another node", async () => {
    const [first] = cluster.nodes as [Node];
    const listener = await Listener.at(first, mel);
    expect(await first.call(olive, "DELETE", `users/${mel.id}`)).toMatchObject({ result: "success" });
    expect(await first.call(olive, "POST", `users/${mel.id}/reactivate`)).toMatchObject({
      result: "success",
    });
    await logIn();
    for (const one of cluster.nodes) {
      const asked = { queue_id: listener.queueId, last_event_id: -1, dont_block: true };
      expect(await one.call(mel, "GET", "events", asked)).toMatchObject(gone);
    }
  }, 300_000);

  test("that has missed more than a node retains must be registered again there, but not elsewhere", async () => {
    const forgetful = await cluster.follower();
    const [other, third] = others(forgetful) as [Node, Node];
    await forgetful.stop();
    forgetful.settings.past = { usualBytes: 20_000, maxBytes: 20_000 };
    forgetful.start();
    await forgetful.ready();
    const listener = await Listener.at(other, mel);
    const contents = Array.from({ length: 60 }, (_, n) => `${n} ${crypto.randomUUID().repeat(20)}`);
    for (const content of contents) await say(other, content);
    const asked = await until("the node has what was sent", async () => {
      const answer = await listener.ask(forgetful, { dont_block: true });
      return answer.result === "error" && answer;
    });
    expect(asked).toMatchObject(gone);
    await listener.listen(contents.at(-1) ?? "", () => third);
    expect(listener.contents).toEqual(contents);
    expect(await listener.ask(forgetful, { dont_block: true })).toMatchObject({
      result: "success",
      events: [],
    });
  }, 300_000);
});
