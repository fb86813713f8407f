// docs/Containerfile and docs/cluster/compose.yaml with real containers, by the commands in their first lines. Part of
// `npm run test:cluster`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import type { ClusterState } from "@/operations/nodes/schema.ts";
import { completeRelease } from "../../.ci/release-files.mjs";
import { version } from "../../package.json";
import { cleanUp, executable, newFolder } from "../support/executable.ts";
import { basic, encode, type Json, type Params } from "../support/requests.ts";
import { s3Bucket, s3Keys, startS3, type TestS3 } from "../support/s3.ts";
import { commands, docs, services } from "./compose-page.ts";
import { Daemon, Obstacle, run } from "./daemon.ts";
import { natsBinary, until } from "./machines.ts";

const untried = "nobody ran docs/cluster/compose.yaml and docs/Containerfile as containers";
const binary = natsBinary(untried);
const [built = "", source] = executable;
if (binary && source) console.error(`LEFT OUT: ${untried}. Build the executable first.`);
const daemon = binary && !source ? await started() : null;

async function started(): Promise<Daemon | null> {
  try {
    return await Daemon.start();
  } catch (error) {
    await cleanUp();
    if (!(error instanceof Obstacle)) throw error;
    console.error(`LEFT OUT: ${untried}. This machine runs no containers: ${error.message}.`);
    return null;
  }
}

const email = "ada@example.com";
const site = "chat.example.com";
/** In milliseconds. Only an error reaches it; how long outages are is what `--limits` holds to. */
const worstOutage = 60_000;
const nodes = Object.keys(services).filter((name) => name.startsWith("confab-"));

describe.skipIf(!daemon)("containers", () => {
  const docked = daemon as Daemon;
  const folder = join(newFolder(), "chat");
  let s3: TestS3;
  let compose: string[] = [];
  let key = "";
  let authority = "";
  const acknowledged = new Set<string>();

  beforeAll(async () => {
    s3 = await startS3(docked.here);
    compose = await docked.compose();
    await image("docker.io/library/nats:2.11", binary ?? "", [
      'ENTRYPOINT ["/nats-server"]',
      'CMD ["--config", "nats-server.conf"]',
    ]);
    await image("docker.io/library/caddy:2", Bun.which("caddy") ?? "/usr/bin/caddy", [
      "ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data PATH=/:/usr/bin:/bin",
      'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]',
    ]);
    const versions = [await run([binary ?? "", "--version"]), await run(["caddy", "version"])];
    const named = versions.map(({ output }) => output.trim().split(" h1:")[0]);
    console.log(`In the images nats:2.11 and caddy:2 are Debian's ${named.join(" and Caddy ")}.`);
  }, 300_000);

  afterAll(async () => {
    await docked.end();
    await s3?.stop();
    await cleanUp();
  }, 300_000);

  /** An image with a program as the official one has it. */
  async function image(name: string, program: string, lines: readonly string[]): Promise<void> {
    const context = newFolder();
    copyFileSync(program, join(context, basename(program)));
    const from = ["FROM docker.io/library/debian:stable-slim", `COPY ${basename(program)} /`];
    writeFileSync(join(context, "Dockerfile"), `${[...from, ...lines].join("\n")}\n`);
    await docked.call("build", "--tag", name, context);
  }

  /** The command of the Containerfile's first lines that begins so, for Docker and this version. */
  function ofContainerfile(verb: string, folderOf: string): string[] {
    const page = readFileSync(join(folderOf, "Containerfile"), "utf8");
    const line = new RegExp(`^# {3}podman (${verb} .*)$`, "m").exec(page)?.[1] ?? "";
    const words = line.replace("--format docker ", "").replace(/VERSION=\S+/, `VERSION=${version}`);
    expect(words).toContain("confab");
    return words.split(" ");
  }

  async function inFolder(where: string, words: readonly string[], env = {}): Promise<string> {
    const { success, output } = await run([...docked.docker, ...words], { cwd: where, env });
    expect({ words, output, success }).toEqual({ words, output, success: true });
    return output;
  }

  /** Runs Compose in a terminal, as an operator does. */
  async function composed(...words: string[]): Promise<string> {
    return composedIn(folder, words);
  }

  async function composedIn(where: string, words: readonly string[]): Promise<string> {
    const decoder = new TextDecoder();
    let seen = "";
    const child = Bun.spawn([...compose, ...words], {
      cwd: where,
      env: { ...process.env, DOCKER_HOST: docked.host, TERM: "xterm" },
      terminal: {
        cols: 200,
        rows: 50,
        data: (_, bytes) => (seen += decoder.decode(bytes, { stream: true })),
      },
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
    const status = await child.exited;
    clearTimeout(timer);
    child.terminal?.close();
    expect({ words, seen, status }).toEqual({ words, seen, status: 0 });
    return seen.replaceAll("\r\n", "\n");
  }

  async function containerOf(service: string): Promise<string> {
    const label = `label=com.docker.compose.service=${service}`;
    return docked.call(
      "ps",
      "--all",
      "--quiet",
      "--filter",
      label,
      "--filter",
      "label=com.docker.compose.oneoff=False",
    );
  }

  async function inspected(container: string, what: string): Promise<string> {
    return docked.call("inspect", "--format", `{{${what}}}`, container);
  }

  /** What a command prints as JSON in a node's container. */
  async function printed<T>(service: string, ...words: string[]): Promise<T> {
    return JSON.parse(
      await docked.call("exec", await containerOf(service), "confab", ...words, "--json"),
    ) as T;
  }

  /** Waits until all nodes are there without a lag, and one leads. */
  async function settled(): Promise<string> {
    return until("all nodes are there, and one leads", async () => {
      const { leader, nodes: all } = await printed<ClusterState>("confab-b", "cluster", "status");
      const areThere =
        all.length === nodes.length && all.every(({ state, lag }) => state !== null && lag === 0);
      return areThere && leader !== null && `confab-${leader}`;
    });
  }

  /** One request through the proxy. */
  async function call(method: "GET" | "POST", path: string, params: Params | FormData = {}, as = key) {
    const form = params instanceof FormData ? params : encode(params);
    const query = method === "GET" && form !== "" ? `?${form}` : "";
    const type = { "content-type": "application/x-www-form-urlencoded" };
    return fetch(`https://${docked.there}${path}${query}`, {
      method,
      headers: {
        host: site,
        authorization: basic(email, as),
        // Of somebody who wants to be taken for another client.
        "x-forwarded-for": "203.0.113.7",
        ...(form instanceof FormData ? {} : type),
      },
      ...(method === "GET" ? {} : { body: form }),
      tls: { ca: authority, serverName: site },
      signal: AbortSignal.timeout(30_000),
    });
  }

  async function send(content: string): Promise<Json> {
    const message = { type: "channel", to: "general", topic: "t", content };
    const answer = await call("POST", "/api/v1/messages", message);
    // The proxy's own answers, where a node died with the request, are empty.
    return JSON.parse((await answer.text()) || "{}");
  }

  /** Sends one message after another until `during` has ended; resolves with the longest pause in milliseconds. */
  async function loaded(during: () => Promise<unknown>): Promise<number> {
    let isOver = false;
    const done = during().finally(() => {
      isOver = true;
    });
    let last = performance.now();
    let longest = 0;
    while (!isOver || longest === 0) {
      const content = `message ${crypto.randomUUID()}`;
      const { result } = await send(content).catch(() => ({ result: "no answer" }));
      if (result === "success") {
        acknowledged.add(content);
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      await Bun.sleep(350);
    }
    await done;
    return Math.round(longest);
  }

  /** An answer of a node itself, asked from the machine of the containers. */
  async function askedAt(service: string, path: string): Promise<string> {
    const address = await inspected(
      await containerOf(service),
      "range .NetworkSettings.Networks}}{{.IPAddress}}{{end",
    );
    const ask =
      "process.stdout.write(await (await fetch(process.argv[1], { headers: { authorization: process.argv[2] } })).bytes())";
    const words = [process.execPath, "-e", ask, `http://${address}:9900${path}`, basic(email, key)];
    const { success, output } = await run(docked.within(words));
    expect({ path, output: success || output }).toEqual({ path, output: true });
    return output;
  }

  /** Each node has every acknowledged message once. */
  async function expectAll(): Promise<void> {
    await settled();
    for (const node of nodes) {
      const form = encode({ anchor: "newest", num_before: 5_000, num_after: 0, apply_markdown: false });
      const { messages } = JSON.parse(await askedAt(node, `/api/v1/messages?${form}`)) as {
        messages: { content: string }[];
      };
      const there = messages.map(({ content }) => content).filter((one) => acknowledged.has(one));
      expect({ node, there: there.toSorted() }).toEqual({ node, there: [...acknowledged].toSorted() });
    }
  }

  test("the image is built as the Containerfile says, runs, keeps its data, and ends at a signal", async () => {
    const release = newFolder();
    const platform = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
    copyFileSync(built, join(release, `confab-${version}-${platform}`));
    completeRelease(release);
    const words = ofContainerfile("build", release);
    await inFolder(release, words);
    await docked.call("tag", "confab", "confab:of-the-builder");
    // The newer builder of Docker, where it is installed.
    const { success, output } = await run([...docked.docker, ...words], {
      cwd: release,
      env: { DOCKER_BUILDKIT: "1" },
    });
    if (!success) expect(output).toContain("buildx component is missing");
    const health = () => fetch(`http://${docked.there}:9900/health`).then((answer) => answer.ok);
    const start = ofContainerfile("run", release);
    // What a failed try has left.
    await run([...docked.docker, "rm", "--force", "--volumes", "confab"]);
    await inFolder(release, start);
    await until("the container answers", health);
    const made = await docked.call("exec", "confab", "confab", "user", "list", "--json");
    expect(await docked.call("exec", "confab", "id", "--user", "--name")).toBe("confab");
    await docked.call("stop", "confab");
    expect(await inspected("confab", ".State.ExitCode")).toBe("0");
    await docked.call("rm", "confab");
    await inFolder(release, start);
    await until("the new container answers", health);
    expect(await docked.call("exec", "confab", "confab", "user", "list", "--json")).toBe(made);
  }, 300_000);

  test("three nodes begin by the commands of compose.yaml", async () => {
    mkdirSync(folder, { recursive: true });
    const page = (name: string) => readFileSync(join(docs, "cluster", name), "utf8");
    for (const name of ["compose.yaml", "nats.conf"]) writeFileSync(join(folder, name), page(name));
    const changed = page("confab.env")
      .replace("https://s3.example.com", s3.endpoint)
      .replace("S3_BUCKET=chat", `S3_BUCKET=${s3Bucket}`)
      .replace("ACCESS_KEY_ID=change-me", `ACCESS_KEY_ID=${s3Keys.accessKeyId}`)
      .replace("SECRET_ACCESS_KEY=change-me", `SECRET_ACCESS_KEY=${s3Keys.secretAccessKey}`)
      .replaceAll("change-me", "of-this-test");
    writeFileSync(join(folder, "confab.env"), changed, { mode: 0o600 });
    // Nobody but the test has to trust the proxy's certificate.
    writeFileSync(join(folder, "Caddyfile"), `{\n\tlocal_certs\n}\n${page("Caddyfile")}`);
    // What a failed try has left.
    await composed("down", "-v");
    key = "";
    const firsts = commands.slice(0, 4);
    expect(firsts.map(([verb]) => verb)).toEqual(["up", "run", "run", "up"]);
    for (const words of firsts) {
      const seen = await composed(...words);
      key ||= /API key +(\w+)/.exec(seen)?.[1] ?? "";
    }
    await settled();
    const root = "/data/caddy/pki/authorities/local/root.crt";
    const proxy = await containerOf("proxy");
    authority = await until("the proxy has certificates", () => docked.call("exec", proxy, "cat", root));
    await until("the proxy answers", async () => (await call("GET", "/health")).ok);
  }, 300_000);

  test("a message and a file that come through the proxy are at each node, and the client's address is its own", async () => {
    const sent = await send("to all");
    expect(sent).toMatchObject({ result: "success" });
    const form = new FormData();
    form.set("file", new File(["of a client"], "note.txt", { type: "text/plain" }));
    const { url, result } = (await (await call("POST", "/api/v1/user_uploads", form)).json()) as Json;
    expect(result).toBe("success");
    await settled();
    for (const node of nodes) {
      expect(JSON.parse(await askedAt(node, `/api/v1/messages/${sent.id}`))).toMatchObject({
        message: { content: "<p>to all</p>", sender_email: email },
      });
      const { url: brief } = JSON.parse(await askedAt(node, `/api/v1${url}`)) as { url: string };
      expect(await askedAt(node, brief)).toBe("of a client");
    }
    const refused = await call("GET", "/api/v1/users/me", {}, "guessed");
    expect(refused.status).toBe(401);
    const addresses = await until("the refusal is in a log", async () => {
      const logs = await Promise.all(nodes.map(async (node) => docked.call("logs", await containerOf(node))));
      const lines = logs.flatMap((log) => log.split("\n").filter((line) => line.includes('"login_refused"')));
      return lines.length > 0 && lines.map((line) => JSON.parse(line).address);
    });
    expect(addresses).toEqual([docked.here]);
  }, 300_000);

  test("commands work in each container, and the doctor there finds nothing wrong but the name", async () => {
    const [, , , , status = []] = commands;
    expect(await composed(...status)).toContain("leads, and the log ends at entry");
    const { output } = await run([
      ...docked.docker,
      "exec",
      await containerOf("confab-b"),
      "confab",
      "doctor",
      "--json",
    ]);
    const { findings } = JSON.parse(output.split("\n")[0] ?? "") as { findings: Finding[] };
    // Nobody has told the name servers of the world about chat.example.com.
    expect(findings.filter(({ verdict, check }) => verdict === "problem" && check !== "Address")).toEqual([]);
    expect(findings.map(({ check }) => check)).toContain("Shared files");
  }, 300_000);

  test("the health checks of the images find everything well", async () => {
    const containers = [...(await Promise.all(nodes.map(containerOf))), "confab"];
    for (const one of containers)
      await until(
        "the container is healthy",
        async () => (await inspected(one, ".State.Health.Status")) === "healthy",
      );
    await docked.call("rm", "--force", "confab");
    await docked.call("volume", "rm", "confab");
  }, 300_000);

  test("a leader whose container is killed is followed, and comes back with the next `up`", async () => {
    const leader = await settled();
    const container = await containerOf(leader);
    const outage = await loaded(async () => {
      await Bun.sleep(1_000);
      await docked.call("kill", container);
      await Bun.sleep(5_000);
    });
    console.log(`the leader's container is killed: no answer for ${outage} ms`);
    expect(outage).toBeLessThan(worstOutage);
    // Docker takes this for the operator's wish.
    expect(await inspected(container, ".State.Status")).toBe("exited");
    await composed("up", "-d");
    await expectAll();
  }, 300_000);

  test("a leader that dies comes back by itself", async () => {
    const container = await containerOf(await settled());
    const outage = await loaded(async () => {
      await Bun.sleep(1_000);
      await docked.crash(container);
      await Bun.sleep(5_000);
    });
    console.log(`the leader's process is killed: no answer for ${outage} ms`);
    expect(outage).toBeLessThan(worstOutage);
    await until(
      "Docker starts it again",
      async () => Number(await inspected(container, ".RestartCount")) > 0,
    );
    await expectAll();
  }, 300_000);

  test("all nodes get a new version, one after the other, as compose.yaml says", async () => {
    const context = newFolder();
    writeFileSync(join(context, "Dockerfile"), "FROM confab\nLABEL of=the-next-version\n");
    const former = await inspected("confab", ".Id");
    await docked.call("build", "--tag", "confab", context);
    const [drain = [], up = []] = commands.slice(5);
    expect([drain.slice(-2), up.slice(0, 3)]).toEqual([
      ["node", "drain"],
      ["up", "-d", "--no-deps"],
    ]);
    const outage = await loaded(async () => {
      for (const node of nodes) {
        const own = (words: string[]) => words.map((word) => (word === "confab-a" ? node : word));
        await composed(...own(drain));
        await composed(...own(up));
        await settled();
      }
    });
    console.log(`the nodes are upgraded one after the other: no answer for ${outage} ms`);
    expect(outage).toBeLessThan(worstOutage);
    const next = await inspected("confab", ".Id");
    expect(next).not.toBe(former);
    for (const node of nodes) expect(await inspected(await containerOf(node), ".Image")).toBe(next);
    await expectAll();
  }, 300_000);

  test("after a restart of the machine, everything is there again by itself", async () => {
    await docked.reboot();
    const states = async () =>
      Promise.all(
        Object.keys(services).map(async (name) => [
          name,
          await inspected(await containerOf(name), ".State.Status"),
        ]),
      );
    const all = Object.keys(services).map((name) => [name, "running"]);
    await until("all containers run", async () => Bun.deepEquals(await states(), all), 30_000).catch(
      () => {},
    );
    // One that NATS does not answer yet may fail, and is started again.
    if (!(await states()).some(([, state]) => state === "exited")) await settled();
    expect(await states()).toEqual(all);
    await until("messages are accepted", async () => {
      const content = `after the restart ${crypto.randomUUID()}`;
      const isSent = (await send(content)).result === "success";
      if (isSent) acknowledged.add(content);
      return isSent;
    });
    await expectAll();
  }, 300_000);

  test("`down -v` leaves nothing", async () => {
    await composed("down", "-v");
    expect(await docked.call("ps", "--all", "--quiet")).toBe("");
    expect(await docked.call("volume", "ls", "--quiet")).toBe("");
    const networks = await docked.call("network", "ls", "--format", "{{.Name}}");
    expect(networks.split("\n").toSorted()).toEqual(["bridge", "host", "none"]);
  }, 300_000);

  test("one server starts by docs/compose.yaml, writes to its volume alone, and gets a new version with its data", async () => {
    const place = join(newFolder(), "one");
    mkdirSync(place);
    const platform = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
    const settings = readFileSync(join(docs, "compose.yaml"), "utf8");
    const provide = (of: string) => {
      copyFileSync(built, join(place, `confab-${of}-${platform}`));
      writeFileSync(
        join(place, "compose.yaml"),
        settings.replace(`VERSION: "${version}"`, `VERSION: "${of}"`),
      );
    };
    copyFileSync(join(docs, "Containerfile"), join(place, "Containerfile"));
    provide(version);
    // The image of the tests before, and what a failed try has left.
    await run([...docked.docker, "rm", "--force", "--volumes", "confab"]);
    await run([...docked.docker, "rmi", "--force", "confab"]);
    const [start = "", logs = ""] = [...settings.matchAll(/^# {3}docker compose (.+)$/gm)].map(
      ([, one = ""]) => one,
    );
    const upgrade = /^# {3}docker compose (up .* --build)$/m.exec(settings)?.[1] ?? "";
    await composedIn(place, start.split(" "));
    const inside = async (...words: string[]) => docked.call("exec", await containerOf("confab"), ...words);
    await until("the server answers", () =>
      inside("confab", "health").then(
        () => true,
        () => false,
      ),
    );
    expect(await composedIn(place, logs.split(" "))).toMatch(/\/(login\/link|first-visit)\/\w{32}/);
    expect(await inside("id", "--user", "--name")).toBe("confab");
    const container = await containerOf("confab");
    for (const file of ["/x", "/etc/x", "/usr/local/bin/x"]) {
      const touched = await run([...docked.docker, "exec", "--user", "root", container, "touch", file]);
      expect(touched.output).toContain("Read-only file system");
    }
    const people = await inside("confab", "user", "list", "--json");

    provide("9.9.9");
    await composedIn(place, upgrade.split(" "));
    await until("the new server answers", () =>
      inside("confab", "health").then(
        () => true,
        () => false,
      ),
    );
    expect(await containerOf("confab")).not.toBe(container);
    expect(await inside("confab", "user", "list", "--json")).toBe(people);
    await composedIn(place, ["down", "--volumes"]);
  }, 300_000);
});
