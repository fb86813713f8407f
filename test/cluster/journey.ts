// From three empty machines to a cluster with an organization, by the three commands of docs/cluster.md. Each machine is a network namespace
// with a name and an address of its own; a cable can be pulled. Part of `npm run test:cluster`.
//
// This file runs twice: the first process starts a second one in namespaces of processes and networks that nobody else has. The kernel ends
// everything in there with that process, however it ends, and two runs cannot meet.
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type ClusterState, clusterState } from "@/operations/nodes/schema.ts";
import { cleanUp, executable, newFolder } from "../support/executable.ts";
import { basic, encode, type Json } from "../support/requests.ts";
import { argsOf } from "./guide.ts";
import { natsBinary, until } from "./machines.ts";

const untried = "nobody made a cluster of three machines in networks of their own";
/** Where the second process finds what the first one made. */
const within = process.env.CONFAB_JOURNEY;
const namespaces = ["--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** The path of a nats-server, if this machine can have such networks; otherwise says what is left out. */
function findMeans(): string | null {
  const program = natsBinary(untried);
  if (program === null) return null;
  const trial =
    "ip link add lan type bridge && ip link add one type veth peer name two && command -v nsenter setpriv";
  try {
    const { success, stderr } = Bun.spawnSync(["unshare", ...namespaces, "sh", "-c", trial]);
    if (success) return program;
    console.error(`LEFT OUT: ${untried}. It takes Linux, root and ip: ${stderr.toString().trim()}.`);
  } catch (error) {
    console.error(`LEFT OUT: ${untried}. It takes Linux, root and ip: ${(error as Error).message}.`);
  }
  return null;
}

const program = within ?? findMeans();

let inner: Bun.Subprocess | null = null;
const machines: NetworkMachine[] = [];

afterAll(async () => {
  inner?.kill("SIGKILL");
  await inner?.exited;
  // The first process removes the folders, whose logs it shows if anything failed.
  if (within === undefined) await cleanUp();
});

test.skipIf(program === null || within !== undefined)(
  "three empty machines in networks of their own become a cluster by the three commands, and stay one while a cable is pulled",
  async () => {
    const folder = newFolder();
    const child = Bun.spawn(
      [
        ...["setpriv", "--pdeathsig", "KILL", "unshare", ...namespaces],
        ...[process.execPath, "test", "--timeout", "180000", import.meta.path],
      ],
      {
        env: { ...process.env, CONFAB_JOURNEY: program ?? "", TMPDIR: folder },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    inner = child;
    const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    if ((await child.exited) === 0) return;
    const logs = [...new Bun.Glob("*/log").scanSync(folder)].map(
      (log) => `The end of ${log}:\n${readFileSync(join(folder, log), "utf8").slice(-4_000)}`,
    );
    throw new Error([...said, ...logs].join("\n"));
  },
);

function run(...command: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(command);
  if (!success) throw new Error(`${command.join(" ")}: ${stderr}`);
  return stdout.toString();
}

const network = "10.0.0";
/** Of this process on the network. */
const ownAddress = `${network}.254`;

class NetworkMachine {
  readonly folder = newFolder();
  private readonly holder: Bun.Subprocess;
  private server: Bun.Subprocess<"ignore", "pipe", number> | null = null;

  constructor(
    readonly name: string,
    readonly address: string,
  ) {
    const naming = `echo ${name} > /proc/sys/kernel/hostname && exec sleep infinity`;
    this.holder = Bun.spawn(["unshare", "--net", "--uts", "sh", "-c", naming]);
    const bin = join(this.folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "confab"), `#!/bin/sh\nexec ${executable.join(" ")} "$@"\n`);
    chmodSync(join(bin, "confab"), 0o755);
    symlinkSync(program ?? "", join(bin, "nats-server"));
    machines.push(this);
  }

  async connect(): Promise<void> {
    const { pid } = this.holder;
    const own = readlinkSync("/proc/self/ns/net");
    await until(`${this.name} has a network`, () => readlinkSync(`/proc/${pid}/ns/net`) !== own);
    await until(
      `${this.name} has its name`,
      () => this.runIn("cat /proc/sys/kernel/hostname").trim() === this.name,
    );
    run(..."ip link add".split(" "), this.cable, ..."type veth peer name eth0 netns".split(" "), String(pid));
    run("ip", "link", "set", this.cable, "master", "lan", "up");
    this.runIn(`ip link set lo up && ip addr add ${this.address}/24 dev eth0 && ip link set eth0 up`);
  }

  private get cable(): string {
    return `to-${this.name}`;
  }

  pullCable(): void {
    run("ip", "link", "set", this.cable, "down");
  }

  plugIn(): void {
    run("ip", "link", "set", this.cable, "up");
  }

  private runIn(line: string): string {
    return run(...this.inside, "/bin/sh", "-c", line);
  }

  private get inside(): string[] {
    return ["nsenter", "--target", String(this.holder.pid), "--net", "--uts"];
  }

  /** As somebody types it there. */
  private type(line: string, stderr: number | "pipe") {
    const env = { PATH: join(this.folder, "bin"), HOME: this.folder, TMPDIR: this.folder };
    const nsenter = Bun.which("nsenter") ?? "";
    return Bun.spawn([nsenter, ...this.inside.slice(1), "/bin/sh", "-c", line], {
      cwd: this.folder,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr,
    });
  }

  serve(line: string): void {
    const log = openSync(join(this.folder, "log"), "a");
    this.server = this.type(`exec ${line}`, log) as typeof this.server;
    closeSync(log);
  }

  get log(): string {
    return readFileSync(join(this.folder, "log"), "utf8");
  }

  /** What the server has printed once it has printed this. */
  async says(expected: RegExp): Promise<string> {
    let said = "";
    for await (const bytes of this.server?.stdout ?? []) {
      said += new TextDecoder().decode(bytes);
      if (expected.test(said)) return said;
    }
    throw new Error(`${this.name} said: ${said}\n${this.log}`);
  }

  async shows(line: string): Promise<string> {
    const child = this.type(line, "pipe");
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr as ReadableStream).text(),
    ]);
    expect({ line, status: await child.exited, stderr }).toEqual({ line, status: 0, stderr: "" });
    return stdout;
  }

  /** What 'confab cluster status' says of each node, in words. */
  async status(): Promise<Record<string, string>> {
    const shown = await this.shows(`confab ${argsOf("confab cluster status").join(" ")}`);
    const rows = [...shown.matchAll(/^(\w) {2,}(\S.*?) {2,}/gm)];
    return Object.fromEntries(rows.map(([, name = "", words = ""]) => [name, words]));
  }

  async state(): Promise<ClusterState> {
    return clusterState.parse(JSON.parse(await this.shows("confab cluster status --json")));
  }

  get url(): string {
    return `http://${this.address}:9900`;
  }

  serves(): Promise<unknown> {
    return until(`${this.name} serves`, async () => {
      if (this.server?.exitCode !== null) throw new Error(`${this.name} ended:\n${this.log}`);
      return (await fetch(`${this.url}/health`, { signal: AbortSignal.timeout(2_000) })).status === 200;
    }).catch((error) => {
      throw new Error(`${error}\n${this.log.slice(-4_000)}`);
    });
  }
}

describe.if(within !== undefined)("three machines", () => {
  const [ada, password] = ["ada@example.com", "seven yellow kettles"];
  const word = /^(leads|follows) since \d\d:\d\d UTC$/;
  let key = "";
  const ids: number[] = [];

  const call = async (
    at: NetworkMachine,
    method: "GET" | "POST",
    path: string,
    params: Json,
  ): Promise<Json> => {
    const text = encode(params);
    const answer = await fetch(`${at.url}/api/v1/${path}${method === "GET" ? `?${text}` : ""}`, {
      method,
      signal: AbortSignal.timeout(20_000),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(key === "" ? {} : { authorization: basic(ada, key) }),
      },
      ...(method === "GET" ? {} : { body: text }),
    });
    return (await answer.json()) as Json;
  };
  const send = async (at: NetworkMachine, content: string) => {
    const idempotency = { type: "direct", to: `["${ada}"]`, content };
    const id = await until(`${at.name} sends`, async () => {
      const { result, id: sent } = await call(at, "POST", "messages", idempotency);
      return result === "success" && (sent as number);
    });
    ids.push(id);
  };
  const reads = (at: NetworkMachine) =>
    until(`${at.name} has ${ids.join()}`, async () => {
      const newest = { anchor: "newest", num_before: 50, num_after: 0 };
      const { messages } = await call(at, "GET", "messages", newest);
      return ids.every((id) => (messages as { id: number }[]).some((one) => one.id === id));
    });

  test("become a cluster", async () => {
    run("ip", "link", "set", "lo", "up");
    run("ip", "link", "add", "lan", "type", "bridge");
    run("ip", "addr", "add", `${ownAddress}/24`, "dev", "lan");
    run("ip", "link", "set", "lan", "up");
    for (const [at, name] of ["a", "b", "c"].entries()) new NetworkMachine(name, `${network}.${at + 1}`);
    for (const one of machines) await one.connect();
    const [first, second, third] = machines as [NetworkMachine, NetworkMachine, NetworkMachine];
    first.serve(`confab ${argsOf("confab cluster init").join(" ")}`);
    const said = await first.says(/confab serve --join \S+\n/);
    const [line = ""] = /confab serve --join \S+/.exec(said) ?? [];
    const [, ...words] = line.split(" ");
    expect(argsOf("confab serve --join TOKEN").slice(0, -1)).toEqual(words.slice(0, -1));
    second.serve(line);
    third.serve(line);
    for (const one of machines) await one.serves();

    // The owner opens the link that was printed.
    const link = new URL(/http\S+\/login\/link\/\w{32}/.exec(said)?.[0] ?? "");
    expect(link.origin).toBe(first.url);
    const names = { realm_name: "Harbour", full_name: "Ada Byron", email: ada, password };
    // Nobody may lead yet.
    await until("the owner has named the organization", async () => {
      const { status } = await fetch(link.href.replace("/login/link/", "/first-visit/"), {
        method: "POST",
        redirect: "manual",
        headers: { accept: "text/html" },
        body: new URLSearchParams(names),
      });
      return status === 303;
    });
  });

  test("where one signs in at one, sends at another and reads at the third", async () => {
    const [first, second, third] = machines as [NetworkMachine, NetworkMachine, NetworkMachine];
    key = await until("b knows the password", async () => {
      const signedIn = await call(second, "POST", "fetch_api_key", { username: ada, password });
      return signedIn.result === "success" && (signedIn.api_key as string);
    });
    await send(third, "from the third");
    await reads(first);
    const shown = await first.status();
    expect(shown).toEqual({
      a: expect.stringMatching(word),
      b: expect.stringMatching(word),
      c: expect.stringMatching(word),
    });
    expect(Object.values(shown).filter((one) => one.startsWith("leads"))).toHaveLength(1);
    // It is the same at each node, once each has followed what is still on the way.
    await until("the second and the third say the same", async () => {
      const states = await Promise.all([second.state(), third.state()]);
      const [one, other] = states.map(({ nodes }) =>
        nodes.map(({ node, state, lag }) => [node, state?.leads, state?.since, lag]),
      );
      expect(one).toEqual(other);
      return true;
    });
  });

  test("go on while the cable of the one that leads is pulled, and it catches up", async () => {
    const before = await (machines[0] as NetworkMachine).state();
    const lost = machines.find(({ name }) => name === before.leader) as NetworkMachine;
    const others = machines.filter((one) => one !== lost) as [NetworkMachine, NetworkMachine];
    const cutAt = Math.floor(Date.now() / 1_000);
    lost.pullCable();
    await send(others[0], "without the leader");
    await reads(others[1]);
    const [one, other] = others.map(({ name }) => name) as [string, string];
    const seen = await others[0].status();
    expect(seen[lost.name]).toMatch(/^not reached since \d\d:\d\d UTC$/);
    expect([seen[one], seen[other]].map((words) => words?.split(" ")[0]).sort()).toEqual([
      "follows",
      "leads",
    ]);
    const [alone] = await Promise.all([
      until(`${lost.name} says what it lacks`, async () => {
        const status = await lost.status();
        return !status[lost.name]?.startsWith("follows") && status;
      }),
      send(others[1], "more"),
    ]);
    expect(alone).toEqual({
      [lost.name]: expect.stringMatching(/^has not followed the log since \d\d:\d\d UTC$/),
      [one]: expect.stringMatching(/^not reached since \d\d:\d\d UTC$/),
      [other]: expect.stringMatching(/^not reached since \d\d:\d\d UTC$/),
    });
    lost.plugIn();
    await reads(lost);
    const { leader, nodes } = await until("all are there again", async () => {
      const state = await lost.state();
      return state.leader !== null && state.nodes.every((node) => node.state && node.lag === 0) && state;
    });
    const leading = nodes.find(({ node }) => node === leader);
    expect(leading?.state?.since).toBeGreaterThanOrEqual(cutAt);
    const shown = await others[0].status();
    for (const { name } of machines) expect(shown[name]).toMatch(word);
  });
});
