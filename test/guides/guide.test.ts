// Runs every command of the guides. A folder stands in for the machine: paths lead into it, and sudo, useradd, systemctl and
// chown are fakes; everything else is real. If the test runs as root, the service runs as another user, who may read only what
// the guide allows.

import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { allCommands } from "@cli/loaders.ts";
import { serverSettings } from "@cli/settings.ts";
import { completeRelease } from "../../.ci/release-files.mjs";
import { architectures, natsFile } from "../../.ci/release-nats.mjs";
import { version } from "../../package.json";
import { cleanUp, executable, newFolder, surroundings } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";

const root = join(import.meta.dir, "..", "..");
const built = join(root, "dist", "confab");
const isReady = process.platform === "linux" && existsSync(built);
const tools = ["curl", "openssl", "sha256sum", "bash"].every((tool) => Bun.which(tool));
if (!isReady || !tools)
  console.warn("LEFT OUT: the commands of the guides, which take Linux, curl, openssl, sha256sum and bash.");

const nobody = 65534;
const hasUsers = process.getuid?.() === 0 && Bun.which("setpriv") !== null;
const asService = hasUsers ? `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups` : "";

const stubs: Record<string, string> = {
  sudo: `if [ "$1" = -u ]; then shift 2; exec ${asService} "$@"; fi; exec "$@"`,
  useradd: 'echo "useradd $*" >> "$MACHINE/useradd.log"',
  chown: `${hasUsers ? `exec /usr/bin/chown -R ${nobody}:${nobody} "\${@: -1}"` : ":"}`,
  // Units contain paths of a real machine.
  install: `args=(); units=()
while [ $# -gt 0 ]; do case "$1" in
  -o|-g) [ ${hasUsers} = true ] && args+=("$1" "\${2/confab/${nobody}}"); shift 2;;
  *.service|*.timer) units+=("$1"); args+=("$1"); shift;;
  *) args+=("$1"); shift;; esac; done
/usr/bin/install "\${args[@]}"
for unit in "\${units[@]}"; do
  sed -Ei "s#/(usr/local/bin|var/lib|var/backups)/#$MACHINE/\\1/#g" "$MACHINE/etc/systemd/system/$unit"
done`,
  systemctl: `units="$MACHINE/etc/systemd/system"
line() { sed -n "s/^$2=//p" "$units/$1" | sed 's/%%/%/g; s/\\$\\$/$/g'; }
alive() { kill -0 "$(cat "$MACHINE/server.pid" 2>&1)" 2>/dev/null; }
serve() { rm -f "$MACHINE/server.log"; touch "$MACHINE/server.log"; ${asService} $(line confab.service ExecStart) > "$MACHINE/server.log" 2>&1 & echo $! > "$MACHINE/server.pid"; until grep -q ready "$MACHINE/server.log"; do alive || { cat "$MACHINE/server.log"; exit 1; }; sleep 0.05; done; }
stop() { kill "$(cat "$MACHINE/server.pid")"; while alive; do sleep 0.05; done; }
start() { case "$1" in
  confab) serve;;
  confab-backup) for part in ExecStart ExecStartPost; do ${asService} bash -c "$(line confab-backup.service $part)" || exit 1; done;;
  confab-backup.timer) grep -q ^OnCalendar= "$units/confab-backup.timer" && test -f "$units/confab-backup.service";;
  *) exit 1;; esac; }
case "$*" in daemon-reload) test -f "$units/confab.service";; "enable --now "*) start "$3";; "start "*) start "$2";; "stop confab") stop;;
  "restart confab") stop; serve;; "is-active --quiet confab") alive;; "reload confab") kill -HUP "$(cat "$MACHINE/server.pid")";; *) exit 1;; esac`,
};

let machine = "";
let port = 0;

afterAll(async () => {
  const pid = join(machine, "server.pid");
  if (existsSync(pid)) Bun.spawnSync(["kill", "-9", readFileSync(pid, "utf8").trim()]);
  await cleanUp();
});

/** A folder with what a release, DNS and a certificate authority would provide. */
async function prepare(): Promise<void> {
  // Other tests in this process may have restricted the umask, but all users of the machine may read its folders.
  process.umask(0o022);
  machine = newFolder();
  port = await freePort();
  for (const [name, script] of Object.entries(stubs)) {
    mkdirSync(join(machine, "bin"), { recursive: true });
    writeFileSync(join(machine, "bin", name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  }
  for (const folder of [
    "usr/local/bin",
    "etc/systemd/system",
    "var/lib",
    "var/backups",
    "downloads",
    "release",
  ]) {
    mkdirSync(join(machine, folder), { recursive: true });
  }
  chmodSync(machine, 0o755);
  copyFileSync(built, join(machine, "release", "confab-0.1.0-linux-x64"));
  completeRelease(join(machine, "release"));
  const live = join(machine, "etc/letsencrypt/live/localhost");
  mkdirSync(live, { recursive: true });
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "60"];
  const named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", join(live, "privkey.pem"), "-out", join(live, "fullchain.pem")];
  Bun.spawnSync(["openssl", "req", "-x509", ...made, ...named, ...files]);
  copyFileSync(join(live, "fullchain.pem"), join(machine, "authority.pem"));
  // As certbot leaves it.
  chmodSync(join(machine, "etc/letsencrypt/live"), 0o700);
}

const page = (name: string) => readFileSync(join(root, "docs", name), "utf8");

function onMachine(text: string): string {
  return text
    .replaceAll("https://chat.example.com", `https://localhost:${port}`)
    .replaceAll("chat.example.com", "localhost")
    .replaceAll(
      "sudo confab setup",
      // No authority knows this machine.
      `sudo confab setup --port ${port} --unit /etc/systemd/system/confab.service --https proxy`,
    )
    .replaceAll(
      /(?<![\w.])\/(usr\/local\/bin|etc\/systemd|etc\/letsencrypt|etc\/confab|var)(?=[/\s"])/g,
      `${machine}/$1`,
    );
}

function commandsOf(name: string): string[] {
  return [...page(name).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

function run(block: string): { status: number; output: string } {
  const certificate = join(machine, "authority.pem");
  const { exitCode, stdout, stderr } = Bun.spawnSync(["bash", "-euo", "pipefail", "-c", onMachine(block)], {
    cwd: join(machine, "downloads"),
    env: {
      ...process.env,
      MACHINE: machine,
      PATH: `${machine}/bin:${machine}/usr/local/bin:${process.env.PATH}`,
      RELEASE: `file://${machine}/release`,
      VERSION: "0.1.0",
      CURL_CA_BUNDLE: certificate,
      NODE_EXTRA_CA_CERTS: certificate,
    },
  });
  return { status: exitCode, output: `${stdout}${stderr}` };
}

describe.skipIf(!isReady || !tools)("the guides, command by command", () => {
  test("install, upgrade, move", async () => {
    await prepare();
    for (const name of ["install.md", "upgrade.md"]) {
      const blocks = commandsOf(name);
      expect(blocks.length).toBeGreaterThan(0);
      for (const block of blocks) {
        const { status, output } = run(block);
        expect(`${block}\n→ ${status}\n${status === 0 ? "" : output}`).toBe(`${block}\n→ 0\n`);
      }
    }
    expect(readFileSync(join(machine, "useradd.log"), "utf8")).toContain("--system");
    const link = run("confab invite link --data /var/lib/confab 2>/dev/null").output.trim();
    const person = "-d full_name=Dee -d email=dee@example.com -d 'password=seven yellow kettles'";
    const { email, api_key } = JSON.parse(run(`curl -fsS ${person} ${link}`).output);
    const mine = `https://chat.example.com/api/v1/users/me/subscriptions`;
    const { subscriptions } = JSON.parse(run(`curl -fsS -u ${email}:${api_key} ${mine}`).output);
    expect(subscriptions).toMatchObject([{ name: "general" }]);
    const received = run(
      `curl -fsS -u ${email}:${api_key} 'https://chat.example.com/api/v1/messages?anchor=newest&num_before=1&num_after=0&narrow=%5B%5D'`,
    ).output;
    expect(JSON.parse(received).messages).toMatchObject([{ sender_full_name: "Welcome Bot" }]);
    const message = "-d type=channel -d to=general -d topic=hello -d content=Here";
    const sent = run(
      `curl -fsS -u ${email}:${api_key} ${message} https://chat.example.com/api/v1/messages`,
    ).output;
    expect(JSON.parse(sent)).toMatchObject({ result: "success", id: expect.any(Number) });
    const mode = (path: string) => (statSync(join(machine, path)).mode & 0o777).toString(8);
    expect([mode("etc/confab"), mode("etc/confab/privkey.pem")]).toEqual(["750", "640"]);
    expect(readdirSync(join(machine, "var/backups/confab"))).toContain(
      `${new Date().toISOString().slice(0, 10)}.tar.gz`,
    );
    const settings = readFileSync(join(machine, "var/lib/confab/confab.toml"), "utf8");
    const [stop = "", restore = "", ...more] = commandsOf("migrate.md");
    expect(more).toEqual([]);
    expect(run(stop)).toMatchObject({ status: 0 });
    run("rm -rf /var/lib/confab");
    const restored = run(restore);
    expect([restored.status, restored.output]).toEqual([0, expect.stringContaining("Restored Ada & Co")]);
    writeFileSync(join(machine, "var/lib/confab/confab.toml"), settings, { mode: 0o644 });
    expect(run("systemctl start confab")).toMatchObject({ status: 0 });
    const people = run("confab user list --data /var/lib/confab");
    expect(people.output).toContain("ben@example.com");
    expect(people.output).toContain("dee@example.com");
    expect(run("systemctl stop confab").status).toBe(0);
  });
});

test("the guides name only existing commands", async () => {
  const known = new Set((await allCommands()).map(({ name }) => name.split(" ")[0]));
  for (const name of ["install.md", "upgrade.md", "migrate.md", "Containerfile"]) {
    for (const [, command = ""] of page(name).matchAll(/[`"]confab(?: |", ")(\w+)/g)) {
      expect([name, known.has(command)]).toEqual([name, true]);
    }
  }
});

test("systemd accepts the units", () => {
  const folder = newFolder();
  const units = ["confab.service", "confab-backup.service", "confab-backup.timer"];
  for (const unit of units) {
    writeFileSync(join(folder, unit), page(unit).replaceAll("/usr/local/bin/confab", "/bin/true"));
  }
  if (!Bun.which("systemd-analyze")) return;
  const { exitCode, stderr } = Bun.spawnSync([
    "systemd-analyze",
    "verify",
    "--man=no",
    ...units.map((unit) => join(folder, unit)),
  ]);
  expect(`${stderr}`).toBe("");
  expect(exitCode).toBe(0);
});

test("the image is built from released files, for both platforms", () => {
  const released = readFileSync(join(root, ".ci", "release.mjs"), "utf8");
  const platforms = [...released.matchAll(/^ {2}"([\w-]+)": "bun-/gm)].map(([, name = ""]) => name);
  const [, copied = ""] = /^COPY (\S+) \/released\/$/m.exec(page("Containerfile")) ?? [];
  const taken = (name: string) => new Bun.Glob(copied).match(name);
  const withNats = Object.keys(architectures);
  expect(platforms.filter((name) => taken(`confab-${version}-${name}`))).toEqual(withNats);
  expect(platforms.filter((name) => taken(natsFile(name)))).toEqual(withNats);
});

test.skipIf(!Bun.which("dpkg"))(
  "the image has the nats-server, where the folder has one for its platform",
  () => {
    const [, , step = ""] = /^(RUN) (platform=[\s\S]*?[^\\]\n)/m.exec(page("Containerfile")) ?? [];
    const platform = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
    const other = process.arch === "arm64" ? "linux-x64" : "linux-arm64";
    const programsOf = (files: readonly string[]) => {
      const place = newFolder();
      mkdirSync(join(place, "released"));
      for (const name of files) writeFileSync(join(place, "released", name), name);
      const script = step.replaceAll(/(["\s])\/(released|programs)\//g, `$1${place}/$2/`);
      const env = { PATH: process.env.PATH ?? "", VERSION: version };
      const { exitCode } = Bun.spawnSync(["sh", "-c", script], { env });
      const folder = join(place, "programs");
      const names = exitCode === 0 ? readdirSync(folder).toSorted() : [];
      return names.map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    };
    const confab = `confab-${version}-${platform}`;
    expect(programsOf([confab, `confab-0.0.1-${platform}`, natsFile(other)])).toEqual([["confab", confab]]);
    expect(programsOf([confab, natsFile(platform), natsFile(other)])).toEqual([
      ["confab", confab],
      ["nats-server", natsFile(platform)],
    ]);
    expect(programsOf([natsFile(platform)])).toEqual([]);
  },
);

test("compose.yaml starts one server that may write to its volume alone", async () => {
  const { services, volumes } = Bun.YAML.parse(page("compose.yaml")) as {
    services: Record<string, Record<string, unknown>>;
    volumes: Record<string, null>;
  };
  const [[name, server = {}] = [], ...others] = Object.entries(services);
  expect([name, others]).toEqual(["confab", []]);
  expect(server.build).toEqual({ context: ".", dockerfile: "Containerfile", args: { VERSION: version } });
  expect(server).toMatchObject({
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    mem_limit: "1g",
    pids_limit: 256,
    restart: "unless-stopped",
  });
  const image = page("Containerfile");
  const volume = /^VOLUME (.+)$/m.exec(image)?.[1];
  expect([server.volumes, Object.keys(volumes)]).toEqual([[`confab:${volume}`], ["confab"]]);
  const { test: health } = server.healthcheck as { test: string[] };
  expect(health.slice(1)).toEqual(JSON.parse(/^HEALTHCHECK .*CMD (.*)$/m.exec(image)?.[1] ?? ""));

  const known = new Set(Object.keys(serverSettings).map((key) => `CONFAB_${key.toUpperCase()}`));
  const named = [...page("compose.yaml").matchAll(/CONFAB_\w+/g)].map(([one]) => one);
  expect(named.filter((one) => !known.has(one))).toEqual([]);
  const { environment } = server as { environment: Record<string, string> };
  const { exitCode, stderr } = Bun.spawnSync([...executable, "config", "--data", newFolder()], {
    env: { ...surroundings(), ...environment },
  });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  const commands = [...page("install.md").matchAll(/^ {4}(docker compose .*)$/gm)].map(([, one = ""]) => one);
  expect(commands).toHaveLength(2);
  for (const one of commands) expect(page("compose.yaml")).toContain(`#   ${one}\n`);
});
