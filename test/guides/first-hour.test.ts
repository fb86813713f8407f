// The first hour of a team: from a downloaded file to two people who chat over HTTPS.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { acmeServer } from "../support/acme.ts";
import { cleanUp, executable, newFolder, surroundings } from "../support/executable.ts";
import { freePorts } from "../support/ports.ts";
import { until } from "../support/waiting.ts";
import { type WebClient, webClient } from "../support/web-session.ts";

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await cleanUp();
});

const name = `confab-${version}-linux-x64`;

/** A server with the released file, or with one that starts the sources, and its checksum. */
function releaseServer(): string {
  const folder = newFolder();
  const [built = "", source] = executable;
  if (source === undefined) copyFileSync(built, join(folder, name));
  else writeFileSync(join(folder, name), `#!/bin/sh\nexec '${built}' '${source}' "$@"\n`);
  const sum = new Bun.CryptoHasher("sha256").update(readFileSync(join(folder, name))).digest("hex");
  writeFileSync(join(folder, "SHA256SUMS"), `${sum}  ${name}\n`);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => new Response(Bun.file(join(folder, new URL(url).pathname))),
  });
  ends.push(() => server.stop(true));
  return server.url.href;
}

async function download(release: string, to: string): Promise<string> {
  const fetchFile = async (file: string) => (await fetch(`${release}${file}`)).bytes();
  const [bytes, sums] = [await fetchFile(name), new TextDecoder().decode(await fetchFile("SHA256SUMS"))];
  expect(sums).toBe(`${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  ${name}\n`);
  writeFileSync(join(to, name), bytes);
  return join(to, name);
}

interface SetUp {
  login_link: string;
  steps: string[];
}

test("from a downloaded file to two people who chat over HTTPS", async () => {
  const began = performance.now();
  const steps: string[] = [];
  const step = async <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
    steps.push(what);
    return work();
  };
  const machine = newFolder();
  const [port = 0, httpPort = 0] = await freePorts(2);
  const authority = await acmeServer({ httpPort });
  ends.push(() => authority.stop());
  const data = join(machine, "data");
  // What stands in for the Internet: nobody else's machine can reach port 80 of this one.
  mkdirSync(data);
  const directory = `acme_directory = "${authority.directory}"\nhttp_port = ${httpPort}\n`;
  writeFileSync(join(data, "confab.toml"), directory);
  const unit = join(machine, "confab.service");
  const who = Bun.spawnSync(["id", "-un"]).stdout.toString().trim();

  const file = await step("download the file, and compare its checksum", () =>
    download(releaseServer(), machine),
  );
  const confab = await step("install it", () => {
    mkdirSync(join(machine, "bin"));
    copyFileSync(file, join(machine, "bin", "confab"));
    chmodSync(join(machine, "bin", "confab"), 0o755);
    return join(machine, "bin", "confab");
  });
  const made = await step("confab setup", async (): Promise<SetUp> => {
    const here = ["--unit", unit, "--user", who, "--no-start", "--host", "127.0.0.1", "--port", String(port)];
    const answers = ["--org", "Ada & Co", "--owner-name", "Ada Byron", "--owner-email", "ada@example.com"];
    const places = ["--domain", "localhost", "--backup-to", join(machine, "backups")];
    const words = ["setup", "--yes", "--json", "--data", data, ...answers, ...places, ...here];
    const child = Bun.spawn([confab, ...words], { env: surroundings(), stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect([await child.exited, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  });
  const site = `https://localhost:${port}`;
  expect(made.login_link).toStartWith(`${site}/login/link/`);

  // As systemd starts it.
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(readFileSync(unit, "utf8")) ?? [];
  const server = Bun.spawn(command.split(" "), { env: surroundings(), stdout: "ignore", stderr: "ignore" });
  ends.push(async () => {
    server.kill();
    expect(await server.exited).toBe(0);
  });
  const over = {
    env: { site },
    fetch: (request: Request) => fetch(request, { redirect: "manual", tls: { ca: authority.root } }),
  };
  const reach = () =>
    fetch(`${site}/health`, { tls: { ca: authority.root } }).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(async () => server.exitCode !== null || (await reach()), "the certificate is trusted");
  expect(authority.issued).toEqual(["localhost"]);

  const ada = webClient(over);
  await step("open the link that the setup has printed, and sign in", async () => {
    const path = made.login_link.slice(site.length);
    const page = { headers: { accept: "text/html" } };
    expect((await ada.ask("GET", path, {}, page)).body).toContain("Sign in as Ada Byron");
    expect((await ada.ask("POST", path, {}, page)).status).toBe(303);
    expect((await ada.ask("GET", "/", {}, page)).status).toBe(200);
  });
  const link = await step("make a link for the team", async (): Promise<string> => {
    const { body } = await ada.ask("POST", "/json/invites/multiuse");
    expect(body).toMatchObject({ result: "success" });
    return body.invite_link;
  });
  const ben = webClient(over);
  await step("open that link, and enter a name, an address and a password", async () => {
    const path = link.slice(site.length);
    const page = { headers: { accept: "text/html" } };
    expect((await ben.ask("GET", path, {}, page)).body).toContain("Ada &amp; Co");
    const person = { full_name: "Ben Okri", email: "ben@example.com", password: "seven yellow kettles" };
    expect((await ben.ask("POST", path, person, page)).status).toBe(303);
  });
  const read = async (client: WebClient) => {
    const params = { anchor: "newest", num_before: 5, num_after: 0, apply_markdown: false };
    const narrow = [{ operator: "channel", operand: "general" }];
    const { body } = await client.ask("GET", "/json/messages", { ...params, narrow });
    return body.messages.map((one: { content: string }) => one.content);
  };
  const say = async (client: WebClient, content: string) => {
    const message = { type: "channel", to: "general", topic: "hello", content };
    expect((await client.ask("POST", "/json/messages", message)).body).toMatchObject({ result: "success" });
  };
  await step("write to each other", async () => {
    await say(ada, "Welcome, Ben!");
    expect((await read(ben)).at(-1)).toBe("Welcome, Ben!");
    await say(ben, "Hello, Ada!");
    expect((await read(ada)).slice(-2)).toEqual(["Welcome, Ben!", "Hello, Ada!"]);
  });
  expect(steps).toHaveLength(7);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`From a downloaded file to two people who chat: ${steps.length} steps, ${seconds} s.`);
});
