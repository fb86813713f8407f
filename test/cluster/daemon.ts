// A Docker daemon of a test's own. It has its own network, processes and mounts (namespaces), so it changes nothing of another
// daemon or of the machine's firewall, and nothing of it is left once the test ends, however that happens.
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { newFolder } from "../support/executable.ts";
import { until } from "./machines.ts";

const packages = ["docker.io", "docker-compose", "debootstrap", "iproute2", "iptables", "caddy"];
const path = `${process.env.PATH}:/usr/sbin:/sbin:/usr/bin`;
const found = (name: string) => Bun.which(name, { PATH: path });
/** A small Debian for images, kept for the next run. */
const keptBase = join(import.meta.dir, "..", "..", "dist", "debian.tar");

interface Ran {
  success: boolean;
  output: string;
}

/** Runs a command to its end, with a limit of two minutes unless it says otherwise. */
export async function run(
  command: readonly string[],
  { ms = 120_000, env = {} as Record<string, string>, cwd = "/" } = {},
): Promise<Ran> {
  const how = { cwd, env: { ...process.env, PATH: path, LC_ALL: "C", ...env }, timeout: ms } as const;
  const child = Bun.spawn([...command], { ...how, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  const [stdout = "", stderr = ""] = await Promise.all(texts);
  return { success: (await child.exited) === 0, output: stdout + stderr };
}

/** A reason why this machine cannot run containers. */
export class Obstacle extends Error {}

async function must(command: readonly string[], how: Parameters<typeof run>[1] = {}): Promise<string> {
  const { success, output } = await run(command, how);
  if (success) return output;
  const last = output.trim().split("\n").slice(-3).join(" ").slice(-300);
  throw new Obstacle(`${command.slice(0, 4).join(" ")}: ${last}`);
}

export class Daemon {
  private readonly folder = newFolder();
  /** Processes, mounts and network end with this process, which ends with its input. */
  private readonly space: Bun.Subprocess<"pipe", "pipe", "pipe">;
  private readonly parent: string;
  private dockerd: Bun.Subprocess | null = null;
  private dns: Bun.udp.Socket<"buffer"> | null = null;
  /** The addresses of this machine for the containers, and of the containers' published ports for this machine. */
  readonly here: string;
  readonly there: string;

  /** Throws an `Obstacle` if this machine cannot. */
  static async start(): Promise<Daemon> {
    await install();
    const base = await baseSystem();
    const daemon = new Daemon();
    try {
      await daemon.connect();
      await daemon.boot();
      await must([...daemon.docker, "import", base, "docker.io/library/debian:stable-slim"]);
      await must([...daemon.docker, "run", "--rm", "docker.io/library/debian:stable-slim", "true"]);
    } catch (error) {
      await daemon.end();
      throw error;
    }
    return daemon;
  }

  private constructor() {
    const script = [
      // Neither the settings nor the keys of another daemon.
      "mkdir -p /etc/docker && mount -t tmpfs tmpfs /etc/docker && ip link set lo up || exit 1",
      "echo begun; cat",
    ].join("\n");
    const unshare = ["unshare", "--net", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"];
    const pipes = { stdin: "pipe", stdout: "pipe", stderr: "pipe" } as const;
    this.space = Bun.spawn([...unshare, "sh", "-c", script], {
      ...pipes,
      env: { ...process.env, PATH: path },
    });
    this.parent = `confab-test-${this.space.pid}`;
    const net = unusedNetwork();
    this.here = `${net}.1`;
    this.there = `${net}.2`;
  }

  /** The command line of a client, and its environment for Compose. */
  readonly client = ["/usr/bin/docker", "docker"].find((name) => found(name)) ?? "docker";

  get docker(): string[] {
    return [this.client, "--host", this.host];
  }

  get host(): string {
    return `unix://${join(this.folder, "docker.sock")}`;
  }

  /** `docker compose`, or `docker-compose` of the versions before it. */
  async compose(): Promise<string[]> {
    const { success } = await run([this.client, "compose", "version"]);
    return success ? [this.client, "compose"] : ["docker-compose"];
  }

  /** A command line that runs a command next to the daemon: in its network, or among its processes, too. */
  within(command: readonly string[], { all = false } = {}): string[] {
    const of = (name: string) => `/proc/${this.space.pid}/ns/${name}`;
    const more = all ? [`--pid=${of("pid_for_children")}`, `--mount=${of("mnt")}`] : [];
    return ["nsenter", `--net=${of("net")}`, ...more, ...command];
  }

  /** Runs the client; throws if it fails. */
  async call(...args: string[]): Promise<string> {
    const { success, output } = await run([...this.docker, ...args]);
    if (!success) throw new Error(`docker ${args.join(" ")}: ${output}`);
    return output.trim();
  }

  /** Kills the main process of a container without Docker's knowledge. */
  async crash(container: string): Promise<void> {
    const pid = await this.call("inspect", "--format", "{{.State.Pid}}", container);
    await must(this.within(["kill", "-KILL", pid], { all: true }));
  }

  /** Stops the daemon with all containers, and starts it, as a restart of the machine does. */
  async reboot(): Promise<void> {
    await must(this.within(["sh", "-c", `kill -TERM $(cat ${this.folder}/docker.pid)`], { all: true }));
    await this.dockerd?.exited;
    await this.boot();
  }

  /** A cable between this machine and the containers' network, and a name server that knows no name. */
  private async connect(): Promise<void> {
    const said = await this.space.stdout.getReader().read();
    if (said.done) throw new Obstacle(`unshare: ${(await new Response(this.space.stderr).text()).trim()}`);
    const name = `cf${this.space.pid}`;
    const peer = ["peer", "name", "cable", "netns", String(this.space.pid)];
    await must(["ip", "link", "add", name, "type", "veth", ...peer]);
    await must(["ip", "address", "add", `${this.here}/30`, "dev", name]);
    await must(["ip", "link", "set", name, "up"]);
    await must(this.within(["ip", "address", "add", `${this.there}/30`, "dev", "cable"]));
    await must(this.within(["ip", "link", "set", "cable", "up"]));
    const how = { hostname: this.here, port: 53, socket: { data: answerNothing } } as const;
    this.dns = await Bun.udpSocket(how).catch((error) => {
      throw new Obstacle(`a name server at ${this.here}: ${error}`);
    });
  }

  private async boot(): Promise<void> {
    const at = (name: string) => join(this.folder, name);
    const where = ["--data-root", at("data"), "--exec-root", at("exec"), "--pidfile", at("docker.pid")];
    // Without systemd, and where we can remove what is left of it.
    const groups = ["--exec-opt", "native.cgroupdriver=cgroupfs", "--cgroup-parent", `/${this.parent}`];
    const command = ["dockerd", ...where, ...groups, "--host", this.host, "--dns", this.here];
    const log = openSync(at("docker.log"), "a");
    const how = { stdin: "ignore", stdout: log, stderr: log, env: { ...process.env, PATH: path } } as const;
    const dockerd = Bun.spawn(this.within(command, { all: true }), how);
    closeSync(log);
    this.dockerd = dockerd;
    const isReady = async () => dockerd.exitCode !== null || (await run([...this.docker, "version"])).success;
    const ready = await until("the daemon answers", isReady, 60_000).catch(() => false);
    if (ready && dockerd.exitCode === null) return;
    throw new Obstacle(`dockerd: ${readFileSync(at("docker.log"), "utf8").trim().split("\n").at(-1)}`);
  }

  /** Ends everything, and removes it; the folder is among those that `cleanUp` removes. */
  async end(): Promise<void> {
    this.dns?.close();
    this.space.stdin.end();
    await this.space.exited;
    await this.dockerd?.exited;
    await run(["find", "/sys/fs/cgroup", "-depth", "-type", "d", "-path", `*/${this.parent}*`, "-delete"]);
  }
}

/** The begin of addresses as a company may have them, near those that containers have. */
function unusedNetwork(): string {
  const taken = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
  const isFree = (net: string) => taken.every((one) => !one.startsWith(net));
  const second = [28, 27, 26, 25, 24, 31].find((n) => isFree(`172.${n}.`));
  if (second === undefined) throw new Obstacle("all addresses for a network of its own are taken");
  return `172.${second}.255`;
}

/** Answers that there is no such name, so that nobody waits for the name of a container that does not run. */
function answerNothing(socket: Bun.udp.Socket<"buffer">, query: Buffer, port: number, address: string): void {
  let end = 12;
  while ((query[end] ?? 0) > 0) end += (query[end] ?? 0) + 1;
  const answer = Buffer.from(query.subarray(0, end + 5));
  answer.writeUInt16BE(0x8183, 2);
  answer.fill(0, 6, 12);
  socket.send(answer, port, address);
}

async function install(): Promise<void> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) throw new Obstacle("it takes root on Linux");
  const programs = ["dockerd", "docker", "debootstrap", "ip", "iptables", "caddy", "unshare", "nsenter"];
  const isThere = async () =>
    programs.every(found) &&
    (found("docker-compose") !== null || (await run(["docker", "compose", "version"])).success);
  if (await isThere()) return;
  if (!existsSync("/etc/debian_version") || !found("apt-get"))
    throw new Obstacle(`install ${packages.join(", ")}, or run this as root on Debian`);
  // Debian asks this program whether a new service may start: this test starts what it needs itself.
  const policy = "/usr/sbin/policy-rc.d";
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    const apt = (...words: string[]) =>
      run(["apt-get", "-qq", ...words], { ms: 600_000, env: { DEBIAN_FRONTEND: "noninteractive" } });
    const install = ["install", "--yes", "--no-install-recommends"];
    await apt("update");
    await apt(...install, ...packages);
    // A package of its own in later releases.
    if (!found("docker")) await apt(...install, "docker-cli");
  } finally {
    if (isOurs) rmSync(policy);
  }
  if (!(await isThere())) throw new Obstacle(`apt-get could not install ${packages.join(", ")}`);
}

/** The path of an archive with Debian's stable release, made of its packages. */
async function baseSystem(): Promise<string> {
  if (existsSync(keptBase)) return keptBase;
  const folder = newFolder();
  const [system, archive] = [join(folder, "system"), join(folder, "debian.tar")];
  const sources = "/etc/apt/sources.list.d/debian.sources";
  const named = existsSync(sources) ? /^URIs: *(\S+)/m.exec(readFileSync(sources, "utf8"))?.[1] : null;
  const from = ["stable", system, named ?? "http://deb.debian.org/debian"];
  // What it mounts ends with it.
  await must(["unshare", "--mount", "debootstrap", "--variant=minbase", ...from], { ms: 240_000 });
  const left = ["var/cache/apt/archives", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale"];
  const without = left.map((one) => `--exclude=./${one}/*`);
  await must(["tar", "--create", `--file=${archive}`, ...without, `--directory=${system}`, "."]);
  rmSync(system, { recursive: true, force: true });
  mkdirSync(join(keptBase, ".."), { recursive: true });
  // Copied under another name first: two runs may do this at once.
  copyFileSync(archive, `${keptBase}.${process.pid}`);
  renameSync(`${keptBase}.${process.pid}`, keptBase);
  return keptBase;
}
