// The image and docs/compose.yaml without Docker: the steps of docs/Containerfile in a folder that stands in for the image, and the
// server in there as Compose would run it: as the user of the image, without any rights of root, on a root file system that nobody
// can write. Part of `npm run test:cluster`; containers.ts does the same with Docker, where there is one.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Kept, keptFile } from "../folders/answers.ts";
import { cleanUp, executable, newFolder, surroundings } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";
import { basic, encode } from "../support/requests.ts";
import { until } from "../support/waiting.ts";

const root = join(import.meta.dir, "..", "..");
const page = (name: string) => readFileSync(join(root, "docs", name), "utf8");
const { services } = Bun.YAML.parse(page("compose.yaml")) as {
  services: { confab: { environment: Record<string, string>; tmpfs: string[] } };
};
const { environment, tmpfs } = services.confab;

/** What the last image of the Containerfile says. */
const image =
  page("Containerfile")
    .split(/^FROM .*\n/m)
    .at(-1) ?? "";
const wordOf = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(image)?.[1] ?? "";
const listOf = (name: string): string[] => JSON.parse(wordOf(name));
const [from = "", folder = ""] = /^COPY --from=executable (\S+) (\S+)$/m.exec(image)?.slice(1) ?? [];
const installed = `${folder}confab`;
const user = wordOf("USER");
const volume = wordOf("VOLUME");
const settings = Object.fromEntries(
  wordOf("ENV")
    .split(" ")
    .map((one) => one.split("=") as [string, string]),
);

const tools = ["unshare", "chroot", "setpriv", "nsenter", "useradd", "mount"];
const path = `${process.env.PATH}:/usr/sbin:/sbin`;
const missing = tools.filter((tool) => !Bun.which(tool, { PATH: path }));
const isRoot = process.platform === "linux" && process.getuid?.() === 0;
const mayMount =
  isRoot && missing.length === 0 && run("unshare", "--mount", "--pid", "--fork", "true").status === 0;
if (!mayMount) {
  const why = isRoot ? `it lacks ${missing.join(", ") || "the right to mount"}` : "that takes root on Linux";
  console.error(`LEFT OUT: nobody tried the steps of docs/Containerfile: ${why}.`);
}

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await cleanUp();
});

function run(...command: string[]): { status: number; output: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { ...surroundings(), PATH: path } });
  return { status: exitCode, output: `${stdout}${stderr}` };
}

/**
 * Makes the root file system of the image at $1, from this machine's programs in place of the base image, with the volume $2, and
 * becomes its command.
 */
function scriptOf(command: readonly string[], env: Record<string, string>): string {
  const [built = "", source] = executable;
  const program = source === undefined ? built : `${newFolder()}/confab`;
  if (source !== undefined)
    writeFileSync(program, `#!/bin/sh\nexec '${built}' '${source}' "$@"\n`, { mode: 0o755 });
  const [tmp = "", options = ""] = tmpfs[0]?.split(":") ?? [];
  const given = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  return `set -e
mount -t tmpfs -o mode=755 tmpfs "$1"
cd "$1"
mkdir usr proc dev tmp var run root
cp -a /etc etc
mount --bind /usr usr
for name in bin sbin lib lib32 lib64; do [ ! -L "/$name" ] || cp -a "/$name" .; done
for name in null zero random urandom; do touch "dev/$name"; mount --bind "/dev/$name" "dev/$name"; done
mount -t proc proc proc
mount -t tmpfs -o mode=755 tmpfs usr/local
mkdir usr/local/bin
${source === undefined ? "" : `mkdir -p ".${root}"; mount --bind '${root}' ".${root}"`}
install -m 755 '${program}' ".${installed}"
chroot . sh -ec '${wordOf("RUN")}'
[ -n "$(ls -A "$2")" ] || chown --reference=".${volume}" "$2"
chmod --reference=".${volume}" "$2"
mount --bind "$2" ".${volume}"
mount -t tmpfs -o "mode=1777,${options}" tmpfs ".${tmp}"
for place in usr usr/local ${source === undefined ? "" : `".${root}"`}; do mount -o remount,bind,ro "$place"; done
mount -o remount,ro "$1"
exec chroot . setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
  env -i PATH=/usr/local/bin:/usr/bin:/bin ${given.join(" ")} ${command.join(" ")}`;
}

/** A container: the program of the image, in a file system and among processes of its own. */
async function start(data: string) {
  const port = await freePort();
  const env = { ...settings, ...environment, CONFAB_PORT: String(port) };
  const script = scriptOf([...listOf("ENTRYPOINT"), ...listOf("CMD")], env);
  const space = ["unshare", "--mount", "--pid", "--fork", "--kill-child"];
  const child = Bun.spawn([...space, "sh", "-c", script, "sh", newFolder(), data], {
    env: { ...surroundings(), PATH: path },
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    void (async () => {
      for await (const chunk of child[name]) printed[name] += new TextDecoder().decode(chunk);
    })();
  ends.push(async () => {
    child.kill("SIGKILL");
    await child.exited;
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(
    async () => child.exitCode !== null || (await isUp()),
    () => `the container answers: ${printed.stdout}${printed.stderr}`,
  );
  expect([child.exitCode, printed.stderr.match(/cannot|denied/g)]).toEqual([null, null]);
  const pid = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
  return {
    url,
    printed,
    status: () => readFileSync(`/proc/${pid}/status`, "utf8"),
    /** Runs a command in the container, as root or as the user of the image. */
    exec: (words: readonly string[], { asRoot = false } = {}) => {
      const space = ["nsenter", `--target=${pid}`, "--mount", "--pid", `--root=/proc/${pid}/root`];
      const drop = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"];
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      // Nsenter stays in the folder outside.
      const clean = ["env", "--chdir=/", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", ...variables];
      return run(...space, ...(asRoot ? [] : drop), ...clean, ...words);
    },
    stop: async () => {
      process.kill(Number(pid), "SIGTERM");
      return child.exited;
    },
  };
}

describe.skipIf(!mayMount)("the image without Docker", () => {
  test("starts an organization, as a user without rights, and writes to its volume alone", async () => {
    expect([from, installed]).toEqual(["/programs/", "/usr/local/bin/confab"]);
    const data = newFolder();
    const one = await start(data);
    // By it, the first visitor becomes the owner.
    await until(
      () => /\/(login\/link|first-visit)\/\w{32}/.test(one.printed.stdout),
      () => `the link is printed: ${JSON.stringify(one.printed)}`,
    );
    expect(one.status()).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd"])
      expect(one.status()).toMatch(new RegExp(`^${set}:\\t0+$`, "m"));
    expect(one.status()).toMatch(/^NoNewPrivs:\t1$/m);
    for (const place of ["/x", "/usr/x", "/etc/x", "/usr/local/bin/x"])
      expect(one.exec(["touch", place], { asRoot: true }).output).toContain("Read-only file system");
    const [, ...check] = /^HEALTHCHECK .*CMD (.*)$/m.exec(image) ?? [];
    expect(one.exec(JSON.parse(check[0] ?? "")).output).toContain(": ok");
    expect(one.exec(["confab", "doctor"]).output).toContain("cannot be read by other users");
    expect(await one.stop()).toBe(0);
    expect(existsSync(join(data, "confab.db-wal"))).toBe(false);
  }, 120_000);

  test("upgrades the data of an earlier version, which outlives the container", async () => {
    const data = newFolder();
    const stored = join(root, "test", "folders", "schema-14.tgz");
    expect(run("tar", "-xzf", stored, "-C", data).status).toBe(0);
    const kept: Kept = JSON.parse(readFileSync(join(data, keptFile), "utf8"));
    expect(run("chown", "-R", "10001", data).status).toBe(0);
    const [email = "", key = ""] = Object.entries(kept.keys)[0] ?? [];
    const headers = { authorization: basic(email, key) };
    const messagesAt = async (url: string): Promise<number[]> => {
      const form = encode({ anchor: "newest", num_before: 5000, num_after: 0 });
      const answer = await fetch(`${url}/api/v1/messages?${form}`, { headers });
      const { messages } = (await answer.json()) as { messages: { id: number }[] };
      return messages.map(({ id }) => id);
    };

    const before = await start(data);
    const content = "From the first container";
    const body = encode({ type: "direct", to: [email], content });
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const send = { method: "POST", headers: { ...headers, ...type }, body };
    const sent = (await (await fetch(`${before.url}/api/v1/messages`, send)).json()) as { id: number };
    const had = await messagesAt(before.url);
    expect([had.length > 1, had]).toEqual([true, expect.arrayContaining([sent.id])]);
    expect(before.exec(["confab", "health"]).status).toBe(0);
    expect(await before.stop()).toBe(0);
    const after = await start(data);
    // What was scheduled long ago may have been sent meanwhile.
    expect(await messagesAt(after.url)).toEqual(expect.arrayContaining(had));
    expect(await after.stop()).toBe(0);
  }, 120_000);
});
