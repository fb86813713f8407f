// From one server to three nodes with the executable, as the guide describes. `npm run test:cluster`.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openJetStream } from "@/cluster/nats/jetstream.ts";
import { openCore } from "@/core.ts";
import { createUser } from "@/foundation/accounts/actions.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { type ClusterState, clusterState, type MadeSnapshot } from "@/operations/nodes/schema.ts";
import { openDatabaseOf } from "../support/database.ts";
import {
  cleanUp,
  confab,
  json,
  newFolder,
  newOrganization,
  type Server,
  serve,
} from "../support/executable.ts";
import { freePorts } from "../support/ports.ts";
import { basic, type Json } from "../support/requests.ts";
import { s3Toml, startS3 } from "../support/s3.ts";
import { startMailServer } from "../support/smtp.ts";
import { hasTmux, openTerminal } from "../support/tmux.ts";
import { argsOf, settingsWith, unrun } from "./guide.ts";
import { NatsServer, natsBinary, startServers, until } from "./machines.ts";

const s3 = await startS3();
const binary = natsBinary("nobody tried the commands of several nodes");
const servers: NatsServer[] = [];
const names = ["a", "b", "c"] as const;
type Name = (typeof names)[number];
const folders = {} as Record<Name, string>;
const ports = {} as Record<Name, number>;
const running = {} as Record<Name, Server>;
let owner: { email: string; api_key: string };
const backup = join(newFolder(), "before-cluster.tar.gz");
/** The path of an uploaded file. */
let file: string;
const ada = { email: "ada@example.com" };

const headers = () => ({ authorization: basic(owner.email, owner.api_key) });
const url = (name: Name) => `http://127.0.0.1:${ports[name]}`;
const at = async (name: Name, path: string, init: RequestInit = {}): Promise<Json> =>
  (await fetch(`${url(name)}${path}`, { ...init, headers: headers() })).json();
const start = async (name: Name) => {
  const [serving] = argsOf("confab serve");
  expect(serving).toBe("serve");
  running[name] = await serve(folders[name], ["--port", String(ports[name])]);
};
const status = (name: Name) => json<ClusterState>(argsOf("confab cluster status", folders[name]));
const led = () =>
  until("one node leads", async () => {
    const { leader } = await status("b");
    return leader as Name | null;
  });

afterAll(async () => {
  await cleanUp();
  await s3.stop();
  for (const one of servers) one.send("SIGKILL");
  await Promise.all(servers.map((one) => one.ended()));
});

describe.skipIf(!binary)("three nodes, started by commands", () => {
  beforeAll(async () => {
    const found = await freePorts(12);
    const [clients, monitors, routes] = [found.slice(0, 3), found.slice(3, 6), found.slice(6, 9)];
    const where = newFolder();
    clients.forEach((port, n) => {
      const [monitor = 0, route = 0] = [monitors[n], routes[n]];
      const folder = join(where, `n${n + 1}`);
      servers.push(new NatsServer(`n${n + 1}`, folder, binary ?? "", port, monitor, route, routes));
    });
    await startServers(servers);
    names.forEach((name, n) => {
      folders[name] = newFolder();
      ports[name] = found[9 + n] ?? 0;
      const settings = settingsWith({
        cluster: servers.map((one) => `nats://${one.url}`).join(),
        nats_monitors: servers.map((one) => one.monitor).join(),
        node: name,
        node_url: url(name),
      });
      mkdirSync(folders[name], { recursive: true });
      writeFileSync(join(folders[name], "confab.toml"), settings + s3Toml(s3, folders[name]));
    });
    const founded = await newOrganization(folders.a);
    owner = founded.owner;
  });

  test("missing or wrong settings are reported before anything starts", async () => {
    const alone = newFolder();
    const nats = ["--cluster", "nats://127.0.0.1:1"];
    const refused: [string[], RegExp][] = [
      [["serve", ...nats], /--cluster needs --node, the name of this node/],
      [["serve", ...nats, "--node", "a"], /--cluster needs --node-url/],
      [["serve", "--node", "a"], /--node and --node-url go with --cluster/],
      [["serve", ...nats, "--node", "a b"], /a name of letters, digits/],
      [["serve", "--cluster", "http://n1"], /addresses of nats-servers, separated by commas/],
      [
        ["serve", ...nats, "--node", "a", "--node-url", "http://a"],
        /needs --nats-monitors.*--nats-unchecked/,
      ],
      [["serve", "--reads-without-log", "9"], /a number of seconds from 10, such as 60/],
    ];
    for (const [args, sentence] of refused) {
      const { status: exit, stderr } = await confab([...args, "--data", alone]);
      expect({ args, exit, stderr }).toEqual({ args, exit: 2, stderr: expect.stringMatching(sentence) });
    }
    const { status: exit, stderr } = await confab(["serve", "--data", folders.b]);
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: expect.stringContaining("The cluster has no organization yet. Run 'confab cluster init'"),
    });
  });

  test("the organization of one server begins the cluster, once", async () => {
    expect(await json(argsOf("confab files move --to s3", folders.a))).toMatchObject({ at: "s3" });
    const [command = "", , ...rest] = argsOf("confab backup before-cluster.tar.gz", folders.a);
    expect(await confab([command, backup, ...rest])).toMatchObject({ status: 0 });

    const begun = await json(argsOf("confab cluster init", folders.a));
    expect(begun).toMatchObject({ cluster: "confab", node: "a", position: 1 });
    // Before its server has ever run.
    const unserved = await confab(["channel", "list", "--data", folders.a]);
    expect(unserved).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("whose server does not run"),
    });
    const twice = await confab(argsOf("confab cluster init", folders.a));
    expect(twice).toMatchObject({ status: 1, stderr: expect.stringContaining("is a node's already") });

    const other = await newOrganization();
    const settings = ["--cluster", `nats://${servers[0]?.url}`, "--node", "z", "--node-url", "http://z"];
    const init = ["cluster", "init", "--data", other.data, ...settings, "--nats-unchecked"];
    writeFileSync(join(other.data, "confab.toml"), `${s3Toml(s3, other.data)}s3_prefix = "other"\n`);
    const shelf = join(other.data, "files", "uploads", "ab");
    mkdirSync(shelf, { recursive: true });
    writeFileSync(join(shelf, "a-file"), "a file");
    const unmoved = await confab([...init, "--cluster-name", "other"]);
    expect(unmoved.stderr).toContain("Move the files with 'confab files move --to s3' first");
    rmSync(shelf, { recursive: true });
    const again = await confab(init);
    expect(again).toMatchObject({ status: 1 });
    expect(again.stderr).toContain("These nats-servers hold the log of a cluster confab already.");
    const joining = await confab([
      "serve",
      "--data",
      other.data,
      ...settings,
      "--nats-unchecked",
      "--port",
      "1",
    ]);
    expect(joining).toMatchObject({ status: 1 });
    expect(joining.stderr).toContain("holds an organization that follows no log");
  });

  test("a nats-server that does not sync each entry is refused, unless the operator vouches for it", async () => {
    const { data } = await newOrganization();
    writeFileSync(join(data, "confab.toml"), `${s3Toml(s3, data)}s3_prefix = "careless"\n`);
    const [port = 0, monitorPort = 0] = await freePorts(2);
    const sync = "max_mem: 1MB";
    const careless = new NatsServer("careless", newFolder(), binary ?? "", port, monitorPort, 0, [], {
      sync,
    });
    careless.start();
    await until("it answers", () => fetch(`${careless.monitor}/varz`));
    try {
      const settings = ["--cluster", `nats://127.0.0.1:${port}`, "--node", "z", "--node-url", "http://z"];
      const node = [...settings, "--cluster-replicas", "1", "--data", data];
      const checked = ["--nats-monitors", careless.monitor];
      const vouched = ["--nats-unchecked"];
      const sentence = "The nats-server careless does not sync each entry, so a power cut would lose";
      const refused = async (command: string[]) => {
        const { status: exit, stderr } = await confab([...command, ...node, ...checked]);
        expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(sentence) });
      };
      await refused(["cluster", "init"]);
      expect(await json(["cluster", "init", ...node, ...vouched])).toMatchObject({ node: "z", position: 1 });
      await refused(["serve", "--port", "1"]);
      expect(await json(["cluster", "leave", "--yes", ...node, ...vouched])).toMatchObject({ position: 1 });
    } finally {
      await careless.kill();
    }
  });

  test("others join with empty folders, and each node answers for all", async () => {
    await start("a");
    await Promise.all([start("b"), start("c")]);
    const state = await until("all three are there", async () => {
      const found = await status("c");
      return found.nodes.length === 3 && found.leader !== null && found;
    });
    expect(clusterState.parse(state)).toEqual(state);
    expect(state.nodes.map(({ node, url: where }) => [node, where])).toEqual(
      names.map((name) => [name, url(name)]),
    );
    const shown = await confab(["cluster", "status", "--data", folders.b]);
    expect(shown.stdout).toMatch(/Cluster confab: [abc] leads, and the log ends at entry \d+\./);
    expect(shown.stdout).toMatch(/^a +(leads|follows) since \d\d:\d\d UTC +\d+ +\d+ /m);
    expect((await confab(["node", "list", "--data", folders.a])).stdout).toMatch(/^NODE +STATE +POSITION/m);
    for (const name of names) {
      expect(await at(name, "/api/v1/users/me")).toMatchObject({ email: owner.email });
      expect((await fetch(`${url(name)}/health`)).status).toBe(200);
    }
  });

  test("a node whose name another one has does not start, and the other one goes on", async () => {
    const { leader } = await status("a");
    const name = leader as (typeof names)[number];
    const twin = newFolder();
    writeFileSync(join(twin, "confab.toml"), readFileSync(join(folders[name], "confab.toml"), "utf8"));
    const [port] = await freePorts(1);
    const { status: exit, stderr } = await confab(["serve", "--port", `${port}`, "--data", twin]);
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: expect.stringContaining(`Another server runs as the node ${name} of this cluster.`),
    });
    expect((await status(name)).leader).toBe(name);

    const known = (await status(name)).nodes.length;
    const astray = ["--node", "astray", "--node-url", url(name), "--port", `${port}`];
    const wrong = await confab(["serve", ...astray, "--data", twin]);
    expect(wrong).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        `The address ${url(name)} leads to the node ${name}, and this one is astray.`,
      ),
    });
    expect((await status(name)).nodes).toHaveLength(known);
  });

  test("commands next to a node are executed by the leader, and visible on every node", async () => {
    const leader = await led();
    const follower = names.find((name) => name !== leader) ?? "a";
    const made = await json([
      "user",
      "create",
      "--email",
      "ada@example.com",
      "--name",
      "Ada",
      "--data",
      folders[follower],
    ]);
    expect(made).toMatchObject({ email: "ada@example.com" });
    for (const name of names) {
      const { members } = await until("the node has her", async () => {
        const all = await at(name, "/api/v1/users");
        return all.members.some((one: Json) => one.delivery_email === "ada@example.com") && all;
      });
      expect(members.length).toBeGreaterThan(1);
      const listed = await confab(["user", "list", "--data", folders[name]]);
      expect(listed.stdout).toContain("ada@example.com");
    }
    // The operator's own commands work next to a node, but not from elsewhere.
    const key = await json([
      "user",
      "api-key",
      "ada@example.com",
      "--rotate",
      "--yes",
      "--data",
      folders[follower],
    ]);
    expect(key).toMatchObject({ api_key: expect.stringMatching(/^\w{32}$/) });
    const asAda = await confab([
      "user",
      "deactivate",
      owner.email,
      "--yes",
      "--as",
      "ada@example.com",
      "--data",
      folders.b,
    ]);
    expect(asAda).toMatchObject({ status: 1 });
    expect((await confab(["queue", "list", "--data", folders[follower]])).status).toBe(0);
  });

  test("a file that a command reads goes to the leader with it", async () => {
    const leader = await led();
    const follower = names.find((name) => name !== leader) ?? "a";
    const people = Array.from({ length: 20 }, (_, n) => `person-${n}@example.com,Person ${n}`);
    const file = join(newFolder(), "people.csv");
    writeFileSync(file, ["email,name", ...people].join("\n"));
    const importing = (...args: string[]) => ["user", "import", ...args, "--data", folders[follower]];
    expect(await json(importing(file, "--dry-run"))).toMatchObject({ dry_run: true, count: 20 });
    const made = await json<{ people: Json[] }>(importing(file));
    expect(made.people.at(-1)).toMatchObject({ email: "person-19@example.com" });
    for (const name of names) {
      await until("the node has them", async () => (await at(name, "/api/v1/users")).members.length > 20);
    }
    expect((await confab(importing(file))).stderr).toContain(
      "Nobody was added: line 2: person-0@example.com: Email 'person-0@example.com' already in use",
    );
    expect((await confab(importing("/nowhere.csv"))).stderr).toContain("There is no file /nowhere.csv.");
    const piped = await confab(importing("-"), { input: "email,name\npiped@example.com,Piped\n" });
    expect(piped).toMatchObject({ status: 0, stdout: "Added one person.\n" });
    // What is missing is told in the server's words.
    const missing = await confab(["report", "handle", "7", "--data", folders[follower]]);
    expect(missing.stderr).toContain("This report does not exist.");
    const moving = await confab(["files", "move", "--to", "disk", "--data", folders[follower]]);
    expect(moving.stderr).toContain("do not find files on one machine's disk");
  });

  test("what a server writes when it starts is written by the leader, for all nodes", async () => {
    for (const name of names) {
      await until("the node has the public address", () => {
        const sqlite = openDatabaseOf(folders[name], { readonly: true });
        const [row] = sqlite.query("SELECT value FROM settings WHERE name = 'site'").values();
        sqlite.close();
        return String(row).includes("https://chat.example.com");
      });
    }
  });

  test("a message through each node is on all of them", async () => {
    await at("b", "/api/v1/users/me/subscriptions", {
      method: "POST",
      body: new URLSearchParams({ subscriptions: '[{"name":"general"}]' }),
    });
    for (const name of names) {
      const params = { type: "stream", to: "general", topic: "t", content: `through ${name}` };
      const sent = await at(name, "/api/v1/messages", { method: "POST", body: new URLSearchParams(params) });
      expect(sent).toMatchObject({ result: "success" });
      for (const other of names) {
        await until(
          "the node has it",
          async () => (await at(other, `/api/v1/messages/${sent.id}`)).result === "success",
        );
        const newest = await json(["message", "tail", "--limit", "1", "--data", folders[other]]);
        expect(newest).toMatchObject([{ content: `through ${name}` }]);
        expect(await json(["api", "GET", `/messages/${sent.id}`, "--data", folders[other]])).toMatchObject({
          message: { id: sent.id },
        });
      }
    }
  });

  test("commands that read next to a node need no leader; one that would replace its database is refused", async () => {
    const where = newFolder();
    for (const name of names) {
      const data = ["--data", folders[name]];
      const backup = join(where, `${name}.tar.gz`);
      const saved = await json(["backup", backup, ...data]);
      expect(saved).toMatchObject({ last_message_id: 3 });
      const whole = join(where, `${name}.json`);
      await json(["export", "organization", whole, ...data]);
      expect(readFileSync(whole, "utf8")).toContain(`through ${name}`);
      const own = join(where, `${name}-ada.json`);
      await json(["export", "user", "ada@example.com", own, ...data]);
      expect(readFileSync(own, "utf8")).toContain("ada@example.com");
      expect(await json(["files", "show", ...data])).toHaveProperty("stores");

      const { status: exit, stderr } = await confab(["restore", backup, ...data]);
      expect({ exit, stderr }).toEqual({
        exit: 1,
        stderr: expect.stringContaining("belongs to a cluster's node."),
      });
      expect(stderr).toContain(
        "restore it into an empty folder, and begin a cluster of another name with that",
      );
    }
  });

  test("a file and an export are available at every node, whichever got the request", async () => {
    const content = new Uint8Array(3_000_000).map((_, at) => at % 251);
    const get = async (name: Name, path: string) => fetch(`${url(name)}${path}`, { headers: headers() });
    for (const name of names) {
      const body = new FormData();
      body.append("file", new File([content], `${name}.bin`));
      const uploaded = await at(name, "/api/v1/user_uploads", { method: "POST", body });
      expect(uploaded).toMatchObject({ result: "success" });
      file = uploaded.url;
      for (const other of names) {
        const found = await until("the node has the file", async () => {
          const answer = await get(other, uploaded.url);
          return answer.status === 200 && (await answer.bytes());
        });
        expect(Bun.hash(found)).toBe(Bun.hash(content));
      }
    }

    const leader = await led();
    const follower = names.find((name) => name !== leader) ?? "a";
    const { id } = await at(follower, "/api/v1/export/realm", { method: "POST" });
    for (const name of names) {
      const path = await until("the export is finished", async () => {
        const { exports } = await at(name, "/api/v1/export/realm");
        return exports.find((one: Json) => one.id === id)?.export_url as string | null;
      });
      const answer = await get(name, new URL(path).pathname);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("through a");
    }
  });

  test("all nodes together count guesses of a password", async () => {
    const guess = async (name: Name) => {
      const body = new URLSearchParams({ username: "ada@example.com", password: "a wrong guess" });
      return (await (
        await fetch(`${url(name)}/api/v1/fetch_api_key`, { method: "POST", body })
      ).json()) as Json;
    };
    const codes: string[] = [];
    for (let n = 0; n < 6; n++) codes.push((await guess(names[n % 3] ?? "a")).code);
    expect(codes.slice(0, 5)).not.toContain("RATE_LIMIT_HIT");
    expect(codes[5]).toBe("RATE_LIMIT_HIT");
    expect((await Promise.all(names.map(guess))).map(({ code }) => code)).toEqual(
      names.map(() => "RATE_LIMIT_HIT"),
    );
  });

  test("presence and typing are visible to the clients of every node, whichever node a person is connected to", async () => {
    const reset = ["user", "api-key", ada.email, "--rotate", "--yes", "--data", folders.b];
    const ada_key = (await json<{ api_key: string }>(reset)).api_key;
    const asAda = { authorization: basic(ada.email, ada_key) };
    const me = (await (await fetch(`${url("b")}/api/v1/users/me`, { headers: asAda })).json()) as Json;
    const user_id = me.user_id as number;
    const post = async (name: Name, path: string, params: Record<string, string>, who = headers()) => {
      const init = { method: "POST", body: new URLSearchParams(params), headers: who };
      return (await fetch(`${url(name)}/api/v1${path}`, init)).json() as Promise<Json>;
    };
    const queues = await Promise.all(
      names.map(async (name) => {
        const types = { event_types: '["presence","typing"]', slim_presence: "true" };
        return { name, ...(await post(name, "/register", types)) };
      }),
    );
    await post("c", "/users/me/presence", { status: "active", last_update_id: "-1" }, asAda);
    for (const name of names) {
      const known = { status: "idle", last_update_id: "-1" };
      await until("the node shows her", async () => {
        const { presences } = await post(name, "/users/me/presence", known);
        return presences[user_id]?.active_timestamp > 0;
      });
    }
    const to = `[${(await at("a", "/api/v1/users/me")).user_id}]`;
    await post("b", "/typing", { op: "start", type: "direct", to }, asAda);
    for (const { name, queue_id, last_event_id } of queues) {
      const types = new Set<string>();
      for (let last = last_event_id; types.size < 2; ) {
        const query = new URLSearchParams({ queue_id, last_event_id: String(last) });
        const { events } = await at(name, `/api/v1/events?${query}`);
        for (const one of events) {
          last = one.id;
          if (one.type === "typing") expect(one).toMatchObject({ op: "start", sender: { user_id } });
          if (one.type !== "heartbeat") types.add(one.type);
        }
      }
      expect([...types].toSorted()).toEqual(["presence", "typing"]);
    }
  });

  test("a snapshot is made on request, by the node that gets the request", async () => {
    for (const name of ["b", "c"] as const) {
      const { position: before } = (await status(name)).nodes.find(({ node }) => node === name)?.state ?? {
        position: 0,
      };
      const made = await json<MadeSnapshot>(["cluster", "snapshot", "--data", folders[name]]);
      expect(made.node).toBe(name);
      expect(made.position).toBeGreaterThanOrEqual(before);
      expect(made.bytes).toBeGreaterThan(100_000);
    }
    const shown = await confab(argsOf("confab cluster snapshot", folders.a));
    expect(shown.stdout).toMatch(/^a stored a snapshot of entry \d+ \(\d+\.\d MB\)\.$/m);
  });

  test("the doctor looks at the nats-servers and at the other nodes", async () => {
    const examined = async () => {
      const { stdout } = await confab([...argsOf("confab doctor", folders.a), "--json"]);
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      return findings.filter(({ check }) => /^(NATS|Nodes|Lag|Shared)/.test(check));
    };
    const usual = await examined();
    expect(usual.map(({ check, verdict }) => [check, verdict])).toEqual(
      ["NATS", "Nodes", "Lag", "Nodes' clocks", "Shared files"].map((check) => [check, "well"]),
    );
    expect(usual[0]?.finding).toContain("n1, n2, n3 answer");

    await servers[2]?.kill();
    const one = await until("only NATS has a problem", async () => {
      const found = (await examined()).filter(({ verdict }) => verdict !== "well");
      return found.length === 1 && found;
    });
    servers[2]?.start();
    expect(one).toMatchObject([{ check: "NATS", verdict: "problem" }]);
    expect(one[0]?.finding).toContain("No nats-server could be asked for its settings at");
    expect(one[0]?.remedy).toContain("Start it, or correct nats_monitors");
    await until("all are well again", async () =>
      (await examined()).every(({ verdict }) => verdict === "well"),
    );
  });

  test("next to a node that does not run, the doctor asks the others over NATS, and 'mail test' works", async () => {
    const mailServer = await startMailServer();
    await running.c.end("SIGTERM");
    await led();
    const examined = await confab(["doctor", "--data", folders.c, "--json"]);
    const { findings } = JSON.parse(examined.stdout) as { findings: Finding[] };
    const ofNodes = findings.filter(({ check }) => /^(Nodes|Lag|Shared)/.test(check));
    expect(ofNodes.map(({ check, verdict, finding }) => [check, verdict, finding.split(/[.:]/)[0]])).toEqual([
      ["Nodes", "note", "This node does not run"],
      ["Nodes", "well", expect.stringMatching(/^[ab] leads 3 nodes$/)],
      ["Lag", "well", expect.stringContaining("Every node that answers")],
      ["Nodes' clocks", "well", "They agree"],
      ["Shared files", "well", expect.stringContaining("All nodes use")],
    ]);
    await servers[2]?.kill();
    await until("the others answer although a nats-server is down", async () =>
      (await confab(["doctor", "--data", folders.c])).stdout.includes(" leads 3 nodes"),
    );

    const other = newFolder();
    writeFileSync(
      join(other, "confab.toml"),
      readFileSync(join(folders.c, "confab.toml"), "utf8").concat('cluster_name = "none"\n'),
    );
    writeFileSync(join(other, "confab.operator"), "token\n");
    const unknown = await confab(["doctor", "--data", other, "--json"]);
    expect(unknown.stdout).not.toContain("confab cluster recover");
    expect(unknown.stdout).toContain(
      "The log is lost (these nats-servers hold none of a cluster none), and nobody leads.",
    );

    for (const name of ["b", "c"] as const) {
      const how = ["--smtp-url", mailServer.url, "--data", folders[name]];
      expect(await json(["mail", "test", "ada@example.com", ...how])).toMatchObject({
        recipient: "ada@example.com",
      });
    }
    expect(mailServer.taken.map(({ to }) => to)).toEqual(["ada@example.com", "ada@example.com"]);
    mailServer.close();
    await start("c");
    await until("it says that a nats-server is down", () =>
      running.c.printed().stderr.includes("cluster_nats_silent"),
    );
    servers[2]?.start();
    await until("it is back", async () =>
      (await status("c")).nodes.every(({ state, lag }) => state !== null && lag === 0),
    );
  });

  test.skipIf(!hasTmux)(
    "the console at a node that follows shows the nodes and has the leader make its changes; while nobody leads, it makes none",
    async () => {
      const leader = await led();
      const follower = names.find((name) => name !== leader) ?? "b";
      const foldersAt = async (name: Name) =>
        (await at(name, "/api/v1/channel_folders")).channel_folders as {
          name: string;
          is_archived: boolean;
        }[];
      const audit = async () => json<Json[]>(["audit", "--limit", "1", "--data", folders[follower]]);
      const terminal = openTerminal(["console", "--data", folders[follower]], { columns: 120, rows: 34 });
      try {
        await terminal.sees("● server running");
        terminal.press("M");
        const shown = await terminal.sees(`Cluster confab: ${leader} leads.`);
        for (const name of names) expect(shown).toMatch(new RegExp(`${name} +(leads|follows) `));
        terminal.press("2");
        await terminal.sees("Ada");

        terminal.press("8", "n");
        await terminal.sees("A new channel folder");
        terminal.type("Projects");
        terminal.press("C-s");
        // The row is in the console's own copy as soon as it says so.
        expect(await terminal.sees("Created the folder Projects.")).toMatch(/▸ +Projects +active/);
        for (const name of names) {
          await until("the node has it", async () =>
            (await foldersAt(name)).some((folder) => folder.name === "Projects"),
          );
        }
        const [created] = await audit();
        expect(created).toMatchObject({
          event: "folder_created",
          client: "confab",
          actor_id: expect.any(Number),
        });

        await Promise.all(servers.map((one) => one.kill()));
        await until("nobody leads", async () => {
          const answers = await Promise.all(
            names.map(async (name) => (await fetch(`${url(name)}/metrics`, { headers: headers() })).text()),
          );
          return answers.every((text) => text.includes("confab_cluster_leads 0\n"));
        });
        terminal.press("d");
        await terminal.sees("Archive the folder Projects?");
        terminal.press("y");
        await terminal.sees("Nothing was changed: no node can save now. Try again soon; M shows the nodes.");
        await startServers(servers);
        await led();
        terminal.press("n");
        await terminal.sees("A new channel folder");
        terminal.type("Later");
        terminal.press("C-s");
        await terminal.sees("Created the folder Later.");
        // What was refused has not happened since.
        expect(await foldersAt(follower)).toMatchObject([
          { name: "Projects", is_archived: false },
          { name: "Later" },
        ]);
        terminal.press("2", "n");
        await terminal.sees("A new person");
        terminal.type("gus@example.com");
        terminal.press("Tab");
        terminal.type("Gus");
        terminal.press("C-s");
        const key = /API key +(\w{32})/.exec(await terminal.sees("Added Gus."))?.[1] ?? "";
        const own = { authorization: basic("gus@example.com", key) };
        const asGus = await fetch(`${url(leader)}/api/v1/users/me`, { headers: own });
        expect(await asGus.json()).toMatchObject({ full_name: "Gus" });
        terminal.press("Enter");

        expect(await running[follower].end("SIGTERM")).toBe(0);
        terminal.press("8", "d");
        await terminal.sees("Archive the folder");
        terminal.press("y");
        await terminal.sees("Nothing was changed: this node's server does not");
      } finally {
        terminal.close();
      }
      await start(follower);
      await until("it follows again", async () =>
        (await status(follower)).nodes.every(({ state, lag }) => state !== null && lag === 0),
      );
      const folder = openCore(folders.b, { onlyReads: true });
      const refused = createUser(folder.system, { email: "gus@example.com", full_name: "Gus" });
      await expect(refused).rejects.toThrow("is only read here. Use the command for it");
      await folder.close();
    },
  );

  test("metrics show which node leads, and each node's position", async () => {
    const leader = await led();
    for (const name of names) {
      const text = await (await fetch(`${url(name)}/metrics`, { headers: headers() })).text();
      expect(text).toContain(`confab_cluster_leads ${name === leader ? 1 : 0}\n`);
      expect(text).toMatch(/^confab_cluster_position [1-9]\d*$/m);
      expect(text).toMatch(/^confab_cluster_lag \d+$/m);
      if (name === leader) expect(text).toMatch(/^confab_cluster_appends_total [1-9]\d*$/m);
      const { recent } = await until("the node has measured itself", async () => {
        const history = await at(name, "/metrics/history");
        return history.recent.length > 0 && history;
      });
      expect(recent[0]).toHaveLength((await at(name, "/metrics/history")).fields.length);
    }
  });

  test("a drained node hands over the lead, reports this to proxies, stops, and takes part again after a restart", async () => {
    const leader = await led();
    const problems: Json[] = [];
    const over = new Set<Name>();
    const counts = { a: 0, b: 0, c: 0 };
    /** A client whose proxy sends it to this node. */
    const sendingTo = async (name: Name) => {
      while (!over.has(name)) {
        const params = {
          type: "stream",
          to: "general",
          topic: "t",
          content: `to ${name}: ${++counts[name]}`,
        };
        const body = new URLSearchParams(params);
        const answer = await at(name, "/api/v1/messages", { method: "POST", body });
        if (answer.result !== "success") problems.push(answer);
      }
    };
    const sending = names.map(sendingTo);
    await until("each client has sent", () => names.every((name) => counts[name] > 5));
    const drained = await json(argsOf("confab node drain", folders[leader]));
    expect(drained).toMatchObject({ node: leader });
    expect(names.filter((name) => name !== leader)).toContain(drained.leader as Name);
    const health = await fetch(`${url(leader)}/health`);
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({
      problem: "This node gives its work to the others, to be stopped.",
    });
    // It has this version already, so the upgrade, too, does nothing but let it take part again.
    for (const command of ["confab node undrain", "confab cluster upgrade"]) {
      expect(await json(argsOf(command, folders[leader]))).toMatchObject({ node: leader });
      expect((await fetch(`${url(leader)}/health`)).status).toBe(200);
      await json(["node", "drain", "--data", folders[leader]]);
      expect((await fetch(`${url(leader)}/health`)).status).toBe(503);
    }
    over.add(leader);
    await sending[names.indexOf(leader)];
    const lastThere = Math.floor(Date.now() / 1_000);
    expect(await running[leader].end("SIGTERM")).toBe(0);

    const stopped = await confab(["user", "list", "--data", folders[leader]]);
    expect(stopped).toMatchObject({ status: 1 });
    expect(stopped.stderr).toContain(
      "belongs to a cluster's node, whose server does not run. Start it with 'confab serve",
    );
    const other = names.find((name) => name !== leader) ?? "a";
    await until("the others miss it", async () => {
      const { nodes } = await status(other);
      const away = nodes.find(({ node }) => node === leader);
      if (away?.state === null) expect(away.last_seen).toBeGreaterThanOrEqual(lastThere);
      return away?.state === null && away.lag === null;
    });
    await until("the status says so", async () => {
      const shown = await confab(["cluster", "status", "--data", folders[other]]);
      return new RegExp(`^${leader} +not reached since \\d\\d:\\d\\d UTC`, "m").test(shown.stdout);
    });

    const removing = argsOf("confab cluster remove c", folders[other]);
    const named = (name: Name) => removing.map((word) => (word === "c" ? name : word));
    const runs = await confab([...named(other), "--yes"]);
    expect([runs.status, runs.stderr]).toEqual([1, expect.stringContaining(`${other} runs`)]);
    expect(await json([...named(leader), "--yes"])).toEqual({
      node: leader,
      nodes: names.filter((name) => name !== leader),
    });
    for (const name of names.filter((one) => one !== leader))
      expect((await status(name)).nodes.map(({ node }) => node)).not.toContain(leader);

    await start(leader);
    for (const name of names) over.add(name);
    await Promise.all(sending);
    expect(problems).toEqual([]);
    expect((await fetch(`${url(leader)}/health`)).status).toBe(200);
    await until("it has caught up", async () => (await status(leader)).nodes.every(({ lag }) => lag === 0));
    expect((await status(other)).nodes).toHaveLength(3);
    expect(existsSync(join(folders[leader], "confab.operator"))).toBe(true);
  });

  test("a backup begins a cluster of another name", async () => {
    const data = newFolder();
    const [command = "", , ...rest] = argsOf("confab restore before-cluster.tar.gz", data);
    expect(await confab([command, backup, ...rest])).toMatchObject({ status: 0 });
    const toml = join(data, "confab.toml");
    const settings = readFileSync(join(folders.a, "confab.toml"), "utf8");
    const [port] = await freePorts(1);
    const named = `cluster_name = "confab-2"\n${settings.replace(url("a"), `http://127.0.0.1:${port}`)}`;
    writeFileSync(toml, named);
    await json(argsOf("confab files move --to s3", data));
    expect(await json(argsOf("confab cluster init", data))).toMatchObject({ cluster: "confab-2", node: "a" });
    const server = await serve(data, ["--port", String(port)]);
    await until(
      "it leads",
      async () => (await json<ClusterState>(argsOf("confab cluster status", data))).leader === "a",
    );
    expect(await server.end("SIGTERM")).toBe(0);
    expect((await status("a")).nodes).toHaveLength(3);
  });

  const openShared = () =>
    openJetStream({
      servers: servers.map((one) => one.url),
      cluster: "confab",
      node: "test",
      replicas: 3,
      leaseMs: 1_000,
    });
  test("after the log is lost, one node begins a new one, and the others join it", async () => {
    const held = await confab(["cluster", "recover", "--from", "a", "--yes", "--data", folders.a]);
    expect(held).toMatchObject({ status: 1 });
    for (const name of names) await running[name].end("SIGTERM");
    const shared = await openShared();
    await until("nobody leads", async () => !(await shared.lease.read())?.leader);
    await shared.remove();
    await shared.close();

    const elsewhere = await confab(["cluster", "recover", "--from", "b", "--yes", "--data", folders.a]);
    expect(elsewhere).toMatchObject({ status: 1 });
    expect(elsewhere.stderr).toContain("This is the folder of a. Run the command beside that of b.");
    expect(await confab(["cluster", "recover", "--from", "a", "--data", folders.a])).toMatchObject({
      status: 2,
    });
    const empty = newFolder();
    const settings = ["--cluster", `nats://${servers[0]?.url}`, "--node", "z", "--node-url", "http://z"];
    const no = await confab(["cluster", "join", "--yes", "--data", empty, ...settings, "--nats-unchecked"]);
    expect(no.stderr).toContain("is no node's");

    const begun = await json([...argsOf("confab cluster recover --from a", folders.a), "--yes"]);
    expect(begun).toMatchObject({ cluster: "confab", node: "a" });
    await start("a");
    for (const name of ["b", "c"] as const) {
      const joined = await json([...argsOf("confab cluster join", folders[name]), "--yes"]);
      expect(joined).toMatchObject({
        position: begun.position,
        made_by: "a",
        messages_beyond: 0,
        kept_in: null,
      });
      await start(name);
    }
    await until("all are level", async () => (await status("a")).nodes.every(({ lag }) => lag === 0));
    for (const name of names)
      expect(await at(name, "/api/v1/users/me")).toMatchObject({ email: owner.email });
  });

  test("the last node leaves with all data, and is a standalone server again", async () => {
    const others = names.filter((name) => name !== "a");
    const early = await confab(["cluster", "leave", "--yes", "--data", folders.a]);
    expect(early).toMatchObject({ status: 1 });
    expect(early.stderr).toMatch(/serves|Other nodes run/);
    for (const name of others) expect(await running[name].end("SIGTERM")).toBe(0);
    await until("the last one leads", async () => (await status("a")).leader === "a");
    const sent = await at("a", "/api/v1/messages", {
      method: "POST",
      body: new URLSearchParams({ type: "stream", to: "general", topic: "t", content: "the last one" }),
    });
    expect(await running.a.end("SIGTERM")).toBe(0);
    for (const to of ["nats", "s3"]) {
      expect(await json(argsOf(`confab files move --to ${to}`, folders.a))).toMatchObject({ at: to });
    }
    expect(await json([...argsOf("confab cluster leave", folders.a), "--yes"])).toMatchObject({
      cluster: "confab",
    });

    const toml = join(folders.a, "confab.toml");
    const isOfCluster = /^(cluster|nats_\w+|node|node_url) = /;
    const kept = readFileSync(toml, "utf8")
      .split("\n")
      .filter((line) => !isOfCluster.test(line));
    writeFileSync(toml, kept.join("\n"));
    expect(await json(argsOf("confab files move --to disk", folders.a))).toMatchObject({ at: "disk" });
    await start("a");
    expect((await fetch(`${url("a")}${file}`, { headers: headers() })).status).toBe(200);
    expect(await at("a", `/api/v1/messages/${sent.id}`)).toMatchObject({ result: "success" });
    expect((await confab(["user", "list", "--data", folders.a])).stdout).toContain("ada@example.com");
  });

  test("every command of the guide was run", () => {
    expect([...unrun]).toEqual([]);
  });
});
