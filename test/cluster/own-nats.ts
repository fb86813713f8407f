// From three empty folders to a cluster in three commands, with nats-servers that Confab runs, as docs/cluster.md says. Each machine is an address of
// this one's own network. Part of `npm run test:cluster`.
import { afterAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { findNatsServer } from "@/cluster/machines/nats-program.ts";
import { type ClusterState, clusterState } from "@/operations/nodes/schema.ts";
import { natsFile } from "../../.ci/release-nats.mjs";
import { acmeServer } from "../support/acme.ts";
import { cleanUp, confab, json, newFolder } from "../support/executable.ts";
import { basic, encode, type Json } from "../support/requests.ts";
import { s3Toml, startS3 } from "../support/s3.ts";
import { argsOf, unrunOfOwn } from "./guide.ts";
import { laterVersion } from "./later.ts";
import { natsBinary, until } from "./machines.ts";
import { newNetwork, OwnMachine } from "./own-machine.ts";

const s3 = await startS3();
const binary = natsBinary("nobody tried the nats-servers that Confab runs");
/** Whole networks lead to this machine on Linux alone. */
const canTry = binary !== null && process.platform === "linux";
const network = newNetwork();
const made: OwnMachine[] = [];

afterAll(async () => {
  for (const one of made) one.send("SIGTERM");
  await Promise.all(made.map((one) => one.ended()));
  await cleanUp();
  await s3.stop();
});

function started(one: OwnMachine): OwnMachine {
  made.push(one);
  return one;
}

const machines = (third: number) =>
  ["a", "b", "c"].map((name, at) =>
    started(new OwnMachine(name, `${network}.${third + at}`, binary ?? "")),
  ) as [OwnMachine, OwnMachine, OwnMachine];

interface Founded {
  join: string;
  owner: { email: string; api_key: string };
}

/** Begins a cluster on the first machine; returns what the command printed. */
async function found(first: OwnMachine, { hasS3 = false } = {}): Promise<Founded> {
  if (hasS3) {
    mkdirSync(first.data);
    const prefix = `s3_prefix = "${first.address}/"\n`;
    writeFileSync(join(first.data, "confab.toml"), s3Toml(s3, first.folder) + prefix);
  }
  first.run([...argsOf("confab cluster init"), "--owner-email", "ada@example.com", "--json"]);
  return JSON.parse(await first.said());
}

/** A folder with a nats-server under the name that it has in a release. */
function releaseWith(program: string): string {
  const folder = newFolder();
  copyFileSync(program, join(folder, natsFile("linux-x64")));
  return folder;
}

const tokenOf = ({ join: line }: Founded) => line.split(" ").at(-1) ?? "";
const argsWith = (command: string, token: string) =>
  argsOf(command).map((word) => (word === "TOKEN" ? token : word));

async function call(
  at: OwnMachine,
  { owner }: Founded,
  [method, path]: readonly [string, string],
  params: Record<string, string | number> = {},
): Promise<Json> {
  const isRead = method === "GET";
  const text = encode(params);
  const answer = await fetch(`${at.url}/api/v1/${path}${isRead ? `?${text}` : ""}`, {
    method,
    headers: {
      authorization: basic(owner.email, owner.api_key),
      "content-type": "application/x-www-form-urlencoded",
    },
    ...(isRead ? {} : { body: text }),
  });
  return (await answer.json()) as Json;
}

/** Sends a message at a machine, again if nobody leads yet; resolves with its ID. */
function send(at: OwnMachine, by: Founded, content: string): Promise<number> {
  return until(`${at.name} has sent`, async () => {
    const sent = await call(at, by, ["POST", "messages"], { type: "direct", to: "[1]", content });
    return sent.result === "success" && (sent.id as number);
  });
}

async function expectThere(at: OwnMachine, by: Founded, ids: readonly number[]): Promise<void> {
  const newest = { anchor: "newest", num_before: 50, num_after: 0 };
  let last: unknown;
  await until(`${at.name} has the messages ${ids.join(", ")}`, async () => {
    const { messages, ...rest } = await call(at, by, ["GET", "messages"], newest);
    const there = (messages as { id: number }[] | undefined)?.map(({ id }) => id);
    last = there ?? rest;
    return ids.every((id) => there?.includes(id));
  }).catch((error) => {
    throw new Error(`${error}\nIt has: ${JSON.stringify(last)}\nIts log ends with:\n${at.log.slice(-4_000)}`);
  });
}

const picture = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)).toHex().repeat(10));

/** Uploads a file of several pieces; resolves with its path. */
async function upload(at: OwnMachine, { owner }: Founded): Promise<string> {
  const body = new FormData();
  body.append("file", new File([picture], "notes.bin"));
  const headers = { authorization: basic(owner.email, owner.api_key) };
  const answer = await fetch(`${at.url}/api/v1/user_uploads`, { method: "POST", body, headers });
  const uploaded = (await answer.json()) as Json;
  expect(uploaded).toMatchObject({ result: "success" });
  return uploaded.url;
}

async function expectFile(at: OwnMachine, { owner }: Founded, path: string): Promise<void> {
  const headers = { authorization: basic(owner.email, owner.api_key) };
  const read = async () => Buffer.from(await (await fetch(at.url + path, { headers })).bytes());
  await until(`${at.name} has the file`, async () => (await read()).equals(picture));
}

const groupOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[2];

const startMs = 120_000;

const serves = (at: OwnMachine) =>
  until(
    `${at.name} serves`,
    async () => !at.isRunning || (await fetch(`${at.url}/health`)).status === 200,
    startMs,
  )
    .then(() => expect(at.isRunning).toBe(true))
    .catch((error) => {
      throw new Error(`${error}\nIts log ends with:\n${at.log.slice(-4_000)}`);
    });

describe.skipIf(!canTry)("nats-servers that Confab runs", () => {
  test("the nats-server of a release is found where the guide has it put", () => {
    const place = newFolder();
    const [install = ""] = [...unrunOfOwn].filter((line) => line.startsWith("sudo install"));
    unrunOfOwn.delete(install);
    const { exitCode } = Bun.spawnSync(
      ["sh", "-c", install.replace("sudo ", "").replace("/usr/local/bin", place)],
      { cwd: releaseWith(binary ?? "") },
    );
    expect(exitCode).toBe(0);
    expect(findNatsServer(undefined, place)).toBe(join(place, "nats-server"));
  });

  test("what is missing or wrong is said, and changes nothing", async () => {
    const data = join(newFolder(), "data");
    const old = join(newFolder(), "nats-server");
    writeFileSync(old, "#!/bin/sh\necho nats-server: v2.9.10\n");
    chmodSync(old, 0o755);
    const store = ["--s3-bucket", "chat", "--s3-endpoint", s3.endpoint];
    const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    const nobody = `${"0".repeat(64)}.${"x".repeat(32)}@${network}.250`;
    const refused: [string[], number, RegExp][] = [
      [
        ["cluster", "init", ...store, "--nats-server", old, "--node-address", `${network}.9`],
        1,
        /version 2\.9\.10; .*2\.10\.23 or newer/,
      ],
      [
        ["cluster", "init", ...store, "--nats-server", "/nowhere", "--node-address", `${network}.9`],
        1,
        /nowhere/,
      ],
      [["serve", "--witness"], 2, /--witness goes with --join/],
      [["serve", "--join", "x", "--dev"], 2, /--dev is for a single server/],
      [["serve", "--join", "x", "--nats-server", binary ?? ""], 1, /This is no token/],
      [["serve", "--join", nobody, "--nats-server", binary ?? ""], 1, /No machine of the cluster answers/],
      [["serve", "--join", "x", "--cluster", "nats://n1", "--node", "a"], 2, /--join goes without --cluster/],
    ];
    for (const [args, exit, sentence] of refused) {
      const { status, stderr } = await confab([...args, "--data", data], { env });
      expect({ args, status, stderr }).toEqual({
        args,
        status: exit,
        stderr: expect.stringMatching(sentence),
      });
      expect(existsSync(join(data, "nats"))).toBe(false);
    }
  });

  const three = canTry ? machines(1) : null;
  let founded: Founded;
  const ids: number[] = [];
  let file: string;

  test("three commands make a cluster of an organization and two empty folders: each node has its people, messages and files", async () => {
    const [a, b, c] = three as NonNullable<typeof three>;
    const { CONFAB_NODE = "" } = a.environment;
    delete a.environment.CONFAB_NODE;
    a.run([...argsOf("confab serve"), "--owner-email", "ada@example.com", "--json"], {
      CONFAB_HOST: a.address,
    });
    const before: Founded = JSON.parse(await a.said());
    const mel = { email: "mel@example.com", full_name: "Mel", password: "seven yellow kettles" };
    const added = await call(a, before, ["POST", "users"], mel);
    expect(added).toMatchObject({ result: "success" });
    ids.push(await send(a, before, "before the cluster"));
    const earlier = await upload(a, before);
    await a.stop();
    a.environment = { ...a.environment, CONFAB_NODE };

    founded = { ...(await found(a)), owner: before.owner };
    expect(founded.join).toMatch(/^confab serve --join \S+$/);
    const first = tokenOf(founded);
    // It says the line before it listens.
    const waits = (times: number) =>
      until("a waits for the others", () => a.log.split("Waiting until 2 more machines join").length > times);
    await waits(1);
    await a.stop();
    const seat = join(a.data, "nats", "machine.json");
    writeFileSync(seat, readFileSync(seat, "utf8").replace(/("until": ?)\d+/, "$11"));
    a.run(argsOf("confab serve"));
    await until("a says why nobody joins", () => a.log.includes("The token has expired before 2 more"));
    await a.stop();
    founded = { ...(await found(a)), owner: before.owner };
    const token = tokenOf(founded);
    await waits(2);
    const [fingerprint, secret] = token.split(/[.@]/);
    for (const [wrong, reason] of [
      [`${fingerprint}.${"x".repeat(32)}@${a.address}`, /The token is not known here/],
      [first, /The token is not known here.* a newer one has taken its place/],
      [`${"0".repeat(64)}.${secret}@${a.address}`, /Another cluster answers/],
    ] as const) {
      const data = join(newFolder(), "data");
      const { status, stderr } = await confab(["serve", "--join", wrong, "--data", data], {
        env: { CONFAB_NATS_SERVER: binary ?? "" },
      });
      expect([status, stderr]).toEqual([1, expect.stringMatching(reason)]);
      expect(existsSync(data)).toBe(false);
    }

    b.run(argsWith("confab serve --join TOKEN", token));
    await until("a says who is missing", () => a.log.includes("Waiting until one more machine joins"));
    // One that is started again goes on waiting.
    await b.stop();
    b.run(argsWith("confab serve --join TOKEN", token));
    c.run([...argsOf("confab serve")], { CONFAB_JOIN: token });
    for (const one of [a, b, c]) await serves(one);
    for (const one of [a, b, c]) ids.push(await send(one, founded, `from ${one.name}`));
    for (const one of [a, b, c]) await expectThere(one, founded, ids);
    // No store for files is named: the nats-servers have them.
    file = await upload(b, founded);
    for (const one of [a, b, c]) {
      await expectFile(one, founded, file);
      await expectFile(one, founded, earlier);
      const { user } = await call(one, founded, ["GET", `users/${added.user_id}`]);
      expect(user).toMatchObject({ full_name: "Mel" });
    }
    expect(await json(["files", "show", "--data", c.data])).toMatchObject({
      at: "nats",
      also_at: null,
      stores: [{ address: "nats-servers of the cluster confab", files: 2, bytes: 2 * picture.length }],
    });

    // One that is busy may answer late.
    await until("each says that it lacks nothing", async () => {
      const state = clusterState.parse(await json(argsOf("confab cluster status", c.data)));
      return state.nodes.map(({ node, lag }) => `${node} ${lag}`).join() === "a 0,b 0,c 0";
    });
    const doctor = (await confab(["doctor", "--data", b.data], { env: b.environment })).stdout;
    expect(doctor).toContain("a, b, c answer, are new enough, and sync each entry");
  });

  test("the token has ended, and no log and no list of settings has a secret", async () => {
    const [a, b, c] = three as NonNullable<typeof three>;
    const token = tokenOf(founded);
    const data = join(newFolder(), "data");
    const env = { CONFAB_NATS_SERVER: binary ?? "", CONFAB_NODE: "d", CONFAB_NODE_ADDRESS: `${network}.9` };
    const late = await confab(["serve", "--join", token, "--data", data], { env });
    expect([late.status, late.stderr]).toEqual([1, expect.stringContaining("The token was used")]);
    expect(existsSync(data)).toBe(false);
    const { stdout: config } = await confab(["config", "--data", b.data]);
    expect(config).toMatch(/^node_url .* its place in the cluster$/m);
    const [, secret = ""] = token.split(/[.@]/);
    const { secret: shared = "", nats_password = "", system_password = "" } = a.seat;
    const logs = [a, b, c].map(({ log }) => log).join("");
    for (const hidden of [secret, shared, nats_password, system_password]) {
      expect(hidden.length).toBe(32);
      expect(logs.includes(hidden)).toBe(false);
      expect(config.includes(hidden)).toBe(false);
    }
    expect(readFileSync(join(a.data, "nats", "machine.json"), "utf8")).not.toContain(secret);
  });

  test("a machine dies, the others go on, and it comes back", async () => {
    const [a, b, c] = three as NonNullable<typeof three>;
    await a.die();
    for (const one of [b, c]) ids.push(await send(one, founded, "without a"));
    await expectFile(c, founded, file);
    a.run(argsOf("confab serve"));
    await serves(a);
    await expectThere(a, founded, ids);
  });

  test("a nats-server that dies is started again; one that outlived its process is kept by the next, unless its configuration has changed", async () => {
    const [, b] = three as NonNullable<typeof three>;
    const dies = async () => {
      const former = b.natsPid;
      process.kill(former, "SIGKILL");
      await until("b has another nats-server", () => b.natsPid !== former);
      expect(b.log).toContain('"event":"nats_ended"');
      await until("b sends", () => send(b, founded, "after its nats-server died").then((id) => ids.push(id)));
    };
    await dies();
    // What a terminal interrupts is the group of the process that it has started.
    expect(groupOf(b.natsPid)).not.toBe(groupOf(process.pid));

    const left = b.natsPid;
    await b.kill();
    const said = () =>
      readFileSync(join(b.data, "nats", "nats.log"), "utf8").split("File log re-opened").length;
    const before = said();
    process.kill(left, "SIGUSR1");
    await until("it goes on to log", () => said() > before);
    b.run(argsOf("confab serve"));
    await serves(b);
    expect([b.natsPid, b.log.includes('"event":"nats_kept"')]).toEqual([left, true]);
    await expectThere(b, founded, ids);
    await dies();

    const other = b.natsPid;
    await b.kill();
    appendFileSync(join(b.data, "nats", "nats.conf"), "# changed by hand\n");
    b.run(argsOf("confab serve"));
    await serves(b);
    expect(b.natsPid).not.toBe(other);
    await expectThere(b, founded, ids);
  });

  test("a new machine takes the place of a lost one, with a token that holds once", async () => {
    const [a, b, c] = three as NonNullable<typeof three>;
    const replacing = argsOf("confab cluster replace c", a.data);
    const early = await confab(replacing);
    expect([early.status, early.stderr]).toEqual([1, expect.stringContaining("c runs at")]);
    const self = await confab(["cluster", "replace", "a", "--data", a.data]);
    expect([self.status, self.stderr]).toEqual([1, expect.stringContaining("a runs at")]);
    // What b lacks is lost if c, which has it, loses its data.
    process.kill(b.natsPid, "SIGSTOP");
    ids.push(await send(a, founded, "while b has nothing"));
    await c.die();
    rmSync(c.data, { recursive: true });
    const unsafe = await confab(replacing);
    expect([unsafe.status, unsafe.stderr]).toEqual([
      1,
      expect.stringMatching(/place of c .* of (a and )?b may lack|no node of its cluster leads/),
    ]);
    process.kill(b.natsPid, "SIGCONT");
    const { join: line } = await until("a node leads again", () => json<{ join: string }>(replacing));
    const made = await json<{ event: string; data: Json }[]>(["audit", "--kind", "server", "--data", b.data]);
    const [entry] = made;
    expect([entry?.event, entry?.data]).toEqual(["node_token_made", { node: "c", address: c.address }]);
    const removing = [...argsOf("confab cluster remove c", a.data), "--yes"];
    await until("it is not removed, because its place stays", async () => {
      const { status, stderr } = await confab(removing);
      return status === 1 && stderr.includes("c is one of the three machines that keep the log");
    });
    const args = line.split(" ").slice(1);
    const env = { CONFAB_NATS_SERVER: binary ?? "", CONFAB_NODE: "c", CONFAB_NODE_ADDRESS: `${network}.9` };
    const data = join(newFolder(), "data");
    const elsewhere = await confab([...args, "--data", data], { env });
    expect([elsewhere.status, elsewhere.stderr]).toEqual([1, expect.stringContaining("c has the address")]);
    const ofWitness = [...args, "--witness", "--data", data];
    const there = { ...env, CONFAB_NODE_ADDRESS: c.address };
    const wrong = await confab(ofWitness, { env: there });
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("c is a node")]);
    c.run(args);
    await serves(c);
    await expectThere(c, founded, ids);
    ids.push(await send(c, founded, "from the new c"));
    const again = await confab([...args, "--data", data], { env: there });
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining("The token was used")]);
    // Its nats-server has the log: without another machine's, there are two of three.
    await a.die();
    ids.push(await send(c, founded, "without a again"));
    await expectFile(c, founded, file);
    a.run(argsOf("confab serve"));
    await serves(a);
    await expectThere(a, founded, ids);
  });

  test("the machines are upgraded by the command, one after the other", async () => {
    const all = three as NonNullable<typeof three>;
    const newer = laterVersion(1, "same");
    let left = all.toReversed();
    for (let [one] = left; one; [one] = left) {
      const upgrading = confab(["cluster", "upgrade", "--json", "--data", one.data], newer);
      await until("it is drained", async () => (await fetch(`${one?.url}/health`)).status === 503);
      await one.stop();
      one.program = newer.program;
      one.run(argsOf("confab serve"), newer.env);
      const { status, stdout, stderr } = await upgrading;
      expect([status, stderr]).toEqual([0, expect.stringContaining(`Draining ${one.name}`)]);
      const names = (JSON.parse(stdout) as { left: string[] }).left;
      left = names.map((name) => all.find((other) => other.name === name) as OwnMachine);
      ids.push(await send(one, founded, `as ${newer.number}`));
    }
    expect(all.map(({ program }) => program)).toEqual(all.map(() => newer.program));
    for (const one of all) await expectThere(one, founded, ids);
  });

  test("while all nodes are stopped, the nats-servers run alone, and the cluster can end", async () => {
    const all = three as NonNullable<typeof three>;
    const [a] = all;
    for (const one of all.toReversed()) {
      if (one === a)
        await until(
          "a leads",
          async () => (await json<ClusterState>(["cluster", "status", "--data", a.data])).leader === "a",
        );
      await one.stop();
      expect([one.name, await one.ended()]).toEqual([one.name, 0]);
      // The log needs two of three.
      one.run(argsOf("confab serve --witness"));
    }
    for (const one of all) expect(await one.said()).toContain("and no node");
    const toDisk = await confab(["files", "move", "--to", "disk", "--data", a.data]);
    expect([toDisk.status, toDisk.stderr]).toEqual([
      1,
      expect.stringContaining("'confab cluster leave' moves them there"),
    ]);
    const left = await json<{ cluster: string }>(["cluster", "leave", "--yes", "--data", a.data]);
    expect(left.cluster).toBe("confab");
    for (const one of all) await one.stop();
    for (const name of ["CONFAB_NODE", "CONFAB_NODE_ADDRESS"]) delete a.environment[name];
    a.run(argsOf("confab serve"), { CONFAB_HOST: a.address });
    await serves(a);
    await expectThere(a, founded, ids);
    await expectFile(a, founded, file);
    expect(await json(["files", "show", "--data", a.data])).toMatchObject({
      at: "disk",
      stores: [{ files: 2 }],
    });
    expect(a.log).not.toContain("nats_ended");
  });

  const pair = canTry ? machines(101) : null;
  let by: Founded;

  test("two machines and a witness go on without a node", async () => {
    const [a, b, c] = pair as NonNullable<typeof pair>;
    by = await found(a, { hasS3: true });
    b.run(argsWith("confab serve --join TOKEN", tokenOf(by)));
    c.run(argsWith("confab serve --witness --join TOKEN", tokenOf(by)));
    for (const one of [a, b]) await serves(one);
    expect(await c.said()).toContain("Confab runs the nats-server of c, and no node");
    expect(existsSync(join(c.data, "confab.db"))).toBe(false);
    expect(existsSync(join(c.data, "nats", "ca-key.pem"))).toBe(false);
    const sent = [await send(a, by, "one"), await send(b, by, "two")];
    await a.die();
    sent.push(await send(b, by, "three"));
    await expectThere(b, by, sent);
    // The witness is started again as such.
    await c.stop();
    c.run(argsOf("confab serve"));
    expect(await c.said()).toContain("and no node");
    sent.push(await send(b, by, "four"));
    await expectThere(b, by, sent);
  });

  test("with a domain, the leader gets the certificate, and each node answers the authority and serves it", async () => {
    const [a, b] = pair as NonNullable<typeof pair>;
    const [domain, port, httpPort] = ["chat.example.com", 9943, 9980];
    const httpHosts = [a.address, b.address];
    const authority = await acmeServer({ httpPort, httpHosts });
    const env = {
      CONFAB_DOMAIN: domain,
      CONFAB_PORT: String(port),
      CONFAB_HTTP_PORT: String(httpPort),
      CONFAB_ACME_DIRECTORY: authority.directory,
    };
    await b.stop();
    for (const one of [a, b]) one.run(argsOf("confab serve"), env);
    const shownAt = (address: string) =>
      new Promise<string | null>((resolve) => {
        const how = { host: address, port, servername: domain, ca: authority.root };
        const socket = connectTls(how, () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.end();
        });
        socket.once("error", () => resolve(null));
      });
    const shown = await until(
      "both serve a certificate of the authority",
      async () => {
        const found = await Promise.all(httpHosts.map(shownAt));
        return !found.includes(null) && found;
      },
      startMs,
    ).catch((error) => {
      throw new Error(`${error}\n${a.log.slice(-2_000)}\n${b.log.slice(-2_000)}`);
    });
    expect(new Set(shown).size).toBe(1);
    expect(authority.issued).toEqual([domain]);
    for (const host of httpHosts) {
      const led = await fetch(`http://${host}:${httpPort}/x?y`, { redirect: "manual" });
      expect([led.status, led.headers.get("location")]).toEqual([308, `https://${domain}:${port}/x?y`]);
    }
    const absent = await fetch(`http://${b.address}:${httpPort}/.well-known/acme-challenge/guessed`);
    expect(absent.status).toBe(404);
    const content = "over https";
    const sent = await fetch(`https://${b.address}:${port}/api/v1/messages`, {
      method: "POST",
      headers: {
        host: `${domain}:${port}`,
        authorization: basic(by.owner.email, by.owner.api_key),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: encode({ type: "direct", to: "[1]", content }),
      tls: { ca: authority.root, serverName: domain },
    });
    expect(await sent.json()).toMatchObject({ result: "success" });
    await authority.stop();
  });

  test("every command of the section was run", () => {
    for (const elsewhere of ["confab cluster leave", "confab cluster recover"]) unrunOfOwn.delete(elsewhere);
    expect([...unrunOfOwn]).toEqual([]);
  });
});
