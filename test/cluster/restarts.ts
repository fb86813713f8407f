// Nodes that are stopped by their operator: one after the other for an upgrade, under clients of a proxy in front of them, and all at
// once for an import. Part of `npm run test:cluster`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { openJetStream } from "@/cluster/nats/jetstream.ts";
import { replaceDatabase } from "@/cluster/replacing.ts";
import type { ImportReport } from "@/operations/import/schema.ts";
import { type ClusterState, clusterState } from "@/operations/nodes/schema.ts";
import { openDatabaseOf } from "../support/database.ts";
import { cleanUp, confab, executable, json, newFolder, surroundings } from "../support/executable.ts";
import { tarred } from "../support/imports/archives.ts";
import { zulipExport, zulipFile } from "../support/imports/zulip.ts";
import { basic, encode, type Json, type Method, type Params } from "../support/requests.ts";
import { patience } from "../support/waiting.ts";
import { laterVersion, type Version } from "./later.ts";
import { natsBinary, until } from "./machines.ts";
import { note } from "./noted.ts";
import { eachTime, kindOf } from "./results.ts";
import { Trio } from "./trio.ts";

const binary = natsBinary("nobody restarted nodes one after the other");
const trio = new Trio(binary ?? "", {});
let front: Bun.Subprocess<"ignore", "pipe", "inherit">;
let url = "";

afterAll(async () => {
  front?.kill();
  await front?.exited;
  await trio.end();
  await cleanUp();
});

/** A client of the proxy. */
async function ask(client: number, [method, path]: [Method, string], params: Params = {}): Promise<Json> {
  const text = encode(params);
  const isRead = method === "GET";
  const response = await fetch(`${url}/api/v1/${path}${isRead && text ? `?${text}` : ""}`, {
    method,
    headers: {
      authorization: basic(trio.owner.email, trio.owner.api_key),
      "content-type": "application/x-www-form-urlencoded",
      "x-client": String(client),
    },
    ...(isRead ? {} : { body: text }),
  });
  return response.json();
}

interface Traffic {
  readonly sent: ReadonlySet<string>;
  readonly problems: readonly unknown[];
  readonly reads: number;
  /** The longest time between two sends that succeeded, in milliseconds. */
  readonly pauseMs: number;
  /** Ends once the listeners have heard all messages. */
  end(): Promise<readonly (readonly string[])[]>;
}

/** Once all listen. */
async function traffic(name: string): Promise<Traffic> {
  const sent = new Set<string>();
  const problems: unknown[] = [];
  const received: string[][] = [];
  const end = `${name} of nobody: the last message`;
  let [reads, pauseMs, isOver] = [0, 0, false];
  let sentAt = performance.now();
  const expected = (what: string, answer: Json) => {
    if (answer.result === "success") return true;
    problems.push({ what, at: new Date().toISOString(), answer });
    return false;
  };
  const sending = async (client: number) => {
    for (let n = 0; !isOver; n++) {
      const content = `${name} of ${client}, message ${n}`;
      const params = { type: "stream", to: "general", topic: `talk ${client}`, content };
      if (expected(content, await ask(client, ["POST", "messages"], params))) {
        sent.add(content);
        pauseMs = Math.max(pauseMs, performance.now() - sentAt);
        sentAt = performance.now();
      }
      await Bun.sleep(30);
    }
  };
  const reading = async (client: number) => {
    const params = { anchor: "newest", num_before: 20, num_after: 0 };
    while (!isOver) {
      if (expected("read", await ask(client, ["GET", "messages"], params))) reads++;
      await Bun.sleep(30);
    }
  };
  const register = async (client: number) => {
    const queue = await ask(client, ["POST", "register"], {
      event_types: ["message"],
      apply_markdown: false,
    });
    expected("register", queue);
    return { client, queue };
  };
  const listening = async ({ client, queue }: { client: number; queue: Json }) => {
    const mine: string[] = [];
    received.push(mine);
    let last = queue.last_event_id as number;
    while (!mine.includes(end)) {
      const params = { queue_id: queue.queue_id, last_event_id: last };
      const answer = await ask(client, ["GET", "events"], params);
      if (!expected("poll", answer)) return;
      for (const event of answer.events) {
        last = event.id;
        if (event.type === "message" && event.message.content.startsWith(`${name} of`))
          mine.push(event.message.content);
      }
    }
  };
  const clients = [0, 1, 2];
  const listeners = (await Promise.all(clients.map(register))).map(listening);
  const others = clients.flatMap((client) => [sending(client), reading(client)]);
  return {
    sent,
    problems,
    get reads() {
      return reads;
    },
    get pauseMs() {
      return pauseMs;
    },
    async end() {
      isOver = true;
      await Promise.all(others);
      const params = { type: "stream", to: "general", topic: "end", content: end };
      if (expected(end, await ask(0, ["POST", "messages"], params))) sent.add(end);
      await Promise.all(listeners);
      return received;
    },
  };
}

/** Of all messages in a node's folder. */
function digestOf(folder: string): string {
  const sqlite = openDatabaseOf(folder, { readonly: true });
  const rows = sqlite.query("SELECT id, content FROM messages ORDER BY id").values();
  sqlite.close();
  return `${rows.length} ${Bun.hash(JSON.stringify(rows))}`;
}

/** Runs a command, and ends it by Ctrl+C at a moment. */
async function interrupted(
  args: string[],
  { program, env }: Version,
  at: () => Promise<boolean>,
): Promise<void> {
  const child = Bun.spawn([...program, ...args], {
    env: { ...surroundings(), ...env },
    stdout: "ignore",
    stderr: "ignore",
  });
  await until("it is at that moment", at);
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
}

describe.skipIf(!binary)("three nodes behind a proxy", () => {
  beforeAll(async () => {
    await trio.begin();
    await trio.call(0, "POST", "users/me/subscriptions", { subscriptions: [{ name: "general" }] });
    const nodes = trio.names.map((_, at) => trio.url(at).replace("localhost", "127.0.0.1"));
    front = Bun.spawn(["node", join(import.meta.dir, "front.mjs"), JSON.stringify({ nodes })], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    for await (const line of createInterface({ input: Readable.fromWeb(front.stdout as never) })) {
      url = `http://127.0.0.1:${line}`;
      break;
    }
  });

  const folder = (at: number) => trio.folders[at] as string;
  const level = (at: number) =>
    until("all nodes are there, and have read the log", async () => {
      const state = clusterState.parse(
        await json<ClusterState>(["cluster", "status", "--data", trio.folders[at] as string]),
      );
      return state.leader !== null && state.nodes.length === 3 && state.nodes.every(({ lag }) => lag === 0);
    });

  eachTime("the nodes are restarted one after the other: no client gets an error", async (n) => {
    await until(
      "the proxy reaches all",
      async () => (await ask(0, ["GET", "users/me"])).result === "success",
    );
    const clients = await traffic(`round ${n}`);
    for (const at of trio.names.keys()) {
      const before = clients.sent.size;
      await until("messages are sent", () => clients.sent.size > before + 10);
      await json(["node", "drain", "--data", trio.folders[at] as string]);
      expect(await trio.running[at]?.end("SIGTERM")).toBe(0);
      await trio.start(at);
      await level(at);
    }
    const received = await clients.end();
    expect(clients.problems).toEqual([]);
    expect(clients.reads).toBeGreaterThan(30);
    for (const one of received) expect(one.toSorted()).toEqual([...clients.sent].toSorted());
  });

  describe("an import next to a node", () => {
    const importing = (...more: string[]) => ["import", "zulip", file, "--data", folder(0), ...more];
    const refused = async (args: readonly string[]) => {
      const { status, stderr } = await confab(args);
      expect({ args, status }).toEqual({ args, status: 1 });
      return stderr;
    };
    const stop = async (...nodes: number[]) => {
      for (const at of nodes) expect(await trio.running[at]?.end("SIGTERM")).toBe(0);
    };
    /** Those with the uploaded file. */
    const messagesAt = async (at: number) => {
      const narrow = [{ operator: "has", operand: "attachment" }];
      const params = { anchor: "newest", num_before: 100, num_after: 0, narrow, apply_markdown: false };
      const { messages } = await trio.call(at, "GET", "messages", params);
      return messages as Json[];
    };
    let file: string;

    beforeAll(async () => {
      file = await tarred(join(newFolder(), "export.tar.gz"), zulipExport());
    });

    test("is tried while the nodes run, and demands that they are stopped", async () => {
      const dry = await json<ImportReport>(importing("--dry-run"));
      expect(dry).toMatchObject({ dry_run: true, messages: 11 });
      expect(await refused(importing())).toContain("serves");
      await stop(0);
      expect(await refused(importing())).toContain("Other nodes run. Stop all nodes first");
      await stop(1, 2);
      const whole = join(newFolder(), "crew.json");
      await json(["export", "organization", whole, "--data", folder(0)]);
      expect(await refused(["import", "confab", whole, "--data", folder(0)])).toContain(
        "An export of Confab goes into a folder without an organization",
      );
      expect(existsSync(join(folder(0), "import"))).toBe(false);
    });

    test("is on all nodes once they have started, with its files in the S3 store, also after it was killed", async () => {
      const copy = join(folder(0), "import", "data", "confab.db");
      const child = Bun.spawn([...executable, ...importing()], {
        env: surroundings(),
        stdout: "ignore",
        stderr: "ignore",
      });
      await until("it writes the copy", () => existsSync(copy));
      child.kill("SIGKILL");
      await child.exited;
      const report = await json<ImportReport>(importing());
      expect(report).toMatchObject({ dry_run: false, messages: 11, files: 1 });
      expect(report.remarks).toContain(
        "The log of the cluster starts over with this organization. Start the nodes: the others fetch it by themselves.",
      );
      expect(existsSync(join(folder(0), "import"))).toBe(false);
      expect(await json(["files", "show", "--data", folder(0)])).toMatchObject({ at: "s3", also_at: null });

      // People who have no password yet are invited through the log.
      const links = join(newFolder(), "links.csv");
      const invited = await json<ImportReport>(importing("--invite", "--links-file", links));
      expect(invited.invitations?.people).toBeGreaterThan(1);

      await Promise.all(trio.names.map((_, at) => trio.start(at)));
      await level(0);
      const [, link = ""] = /(https:\S+)/.exec(readFileSync(links, "utf8")) ?? [];
      for (const at of trio.names.keys()) {
        const [message] = await messagesAt(at);
        const [, path = ""] = /\((\/user_uploads\/[^)]+)\)/.exec(message?.content) ?? [];
        const authorization = basic(trio.owner.email, trio.owner.api_key);
        const answer = await fetch(trio.url(at) + path, { headers: { authorization } });
        expect(await answer.text()).toBe(zulipFile);
        const page = await fetch(trio.url(at) + new URL(link).pathname);
        expect(await page.json()).toMatchObject({ result: "success", email: expect.stringContaining("@") });
      }
      const sent = await trio.call(1, "POST", "messages", {
        type: "stream",
        to: "general",
        topic: "t",
        content: "after it",
      });
      expect(sent).toMatchObject({ result: "success" });
      await level(0);
      expect(new Set(trio.folders.map(digestOf)).size).toBe(1);
    });

    test("whose database is in place starts the log again with the next command, if it was killed before", async () => {
      await stop(0, 1, 2);
      const openShared = () =>
        openJetStream({
          servers: trio.servers.map(({ port }) => `nats://localhost:${port}`),
          cluster: "confab",
          node: "a",
          replicas: 3,
          leaseMs: 1_000,
        });
      const shared = await openShared();
      const [database, copy] = [join(folder(0), "confab.db"), join(newFolder(), "confab.db")];
      const replacing = { dataDir: folder(0), me: { node: "a", url: trio.url(0) }, shared, openShared };
      const killed = replaceDatabase(replacing, async ({ release, seal }) => {
        copyFileSync(database, copy);
        release(copy);
        await seal(copy);
        // The log has an entry now that this folder's database lacks.
        await expect(seal(copy)).rejects.toThrow("Another node has written meanwhile");
        renameSync(copy, database);
        throw new Error("killed");
      });
      await expect(killed).rejects.toThrow("killed");
      await shared.close();
      expect(await refused(importing())).toContain("This export was imported on");
      await Promise.all(trio.names.map((_, at) => trio.start(at)));
      await level(1);
      expect(await messagesAt(2)).toHaveLength(1);
      expect(new Set(trio.folders.map(digestOf)).size).toBe(1);
    });
  });

  /** What is said at the last node of the earlier version. */
  const expectUnderWay = async (at: number, { number }: Version) => {
    const names = trio.names.filter((_, other) => other !== at).join(" and ");
    const [finding, remedy] = [
      `An upgrade to ${number} is under way: ${names} have it and serve nobody until no node of an earlier version leads, because its tables are new; ` +
        `${trio.names[at]} has `,
      `run 'confab cluster upgrade' on the machine of ${trio.names[at]}.`,
    ];
    for (const command of [["cluster", "status"], ["doctor"]]) {
      const { stdout } = await confab([...command, "--data", folder(at)]);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(finding);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(remedy);
    }
  };

  /** These come last: from then on, the folders are those of a later version. */
  let upgrades = 0;
  const title = "the nodes are upgraded by the command, to new tables: no client gets an error";
  eachTime(title, async () => {
    const newer = laterVersion(++upgrades);
    const upgrade = (at: number) => confab(["cluster", "upgrade", "--json", "--data", folder(at)], newer);
    const isDrained = async (at: number) =>
      (await fetch(`${trio.url(at)}/health`).catch(() => null))?.status !== 200;
    const clients = await traffic(`upgrade ${upgrades}`);
    await interrupted(["cluster", "upgrade", "--data", folder(0)], newer, () => isDrained(0));
    await until("the node takes part again", async () => !(await isDrained(0)));
    const starts: Promise<void>[] = [];
    let left = [0, 1, 2];
    for (let at = 0; left.length > 0; at = left[0] ?? 0) {
      const before = clients.sent.size;
      await until("messages are sent", () => clients.sent.size > before + 10);
      const upgrading = upgrade(at);
      await until("the node is drained, or has ended", () => isDrained(at));
      // The last one ends by itself once one of the later version leads.
      if (left.length === 1) expect(await trio.running[at]?.exited).toBe(1);
      else expect(await trio.running[at]?.end("SIGTERM")).toBe(0);
      if (left.length === 3) {
        const refused = await upgrade(1);
        expect([refused.status, refused.stderr]).toEqual([
          1,
          expect.stringContaining("Not now: a does not answer"),
        ]);
      }
      // It answers only once no node of the earlier version leads, which takes the commands of all machines.
      starts.push(trio.start(at, { ...newer, patienceMs: 3 * patience }));
      const { status, stdout, stderr } = await upgrading;
      expect([status, stderr]).toEqual([0, expect.stringContaining(`Draining ${trio.names[at]}`)]);
      const done = JSON.parse(stdout) as Json;
      left = done.left.map((name: "a") => trio.names.indexOf(name));
      const is_waiting = left.length > 0;
      expect(done).toEqual({ node: trio.names[at], version: newer.number, is_waiting, left: done.left });
      // It may be repeated.
      if (left.length === 2) {
        const again = JSON.parse((await upgrade(at)).stdout) as Json;
        // The last one is that which leads, and another may lead by now.
        expect({ ...again, left: again.left.toSorted() }).toEqual({ ...done, left: done.left.toSorted() });
      }
      if (left.length === 1) await expectUnderWay(left[0] as number, newer);
    }
    await Promise.all(starts);
    await level(0);
    const received = await clients.end();
    expect(clients.problems).toEqual([]);
    for (const one of received) expect(one.toSorted()).toEqual([...clients.sent].toSorted());
    expect(new Set(trio.folders.map(digestOf)).size).toBe(1);
    const ms = Math.round(clients.pauseMs);
    console.log(`the nodes are upgraded: no send was acknowledged for ${ms} ms at most`);
    note({ outage: kindOf(title), ms, acknowledged: clients.sent.size, anew: 0 });
  });
});
