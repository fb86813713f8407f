// Runs every command of the guides, on a machine made of a folder: sudo, useradd, systemctl and chown are stand-ins, the
// paths lead into the folder, and everything else is real.
import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, freePort, newFolder } from "./support/executable.ts";

const root = join(import.meta.dir, "..");
const built = join(root, "dist", "confab");
const isReady = process.platform === "linux" && existsSync(built);
const tools = ["curl", "openssl", "sha256sum", "bash"].every((tool) => Bun.which(tool));

const stubs: Record<string, string> = {
  sudo: 'if [ "$1" = -u ]; then shift 2; fi; exec "$@"',
  useradd: 'echo "useradd $*" >> "$MACHINE/useradd.log"',
  chown: 'echo "chown $*" >> "$MACHINE/chown.log"',
  // Ownership needs root; everything else of install is real.
  install: `args=(); while [ $# -gt 0 ]; do case "$1" in -o|-g) shift 2;; *) args+=("$1"); shift;; esac; done
exec /usr/bin/install "\${args[@]}"`,
  systemctl: `unit="$MACHINE/etc/systemd/system/confab.service"
start() { rm -f "$MACHINE/server.log"; touch "$MACHINE/server.log"; $(sed -n 's/^ExecStart=//p' "$unit") > "$MACHINE/server.log" 2>&1 & echo $! > "$MACHINE/server.pid"; until grep -q ready "$MACHINE/server.log"; do kill -0 "$(cat "$MACHINE/server.pid")" || exit 1; sleep 0.05; done; }
stop() { kill "$(cat "$MACHINE/server.pid")"; while kill -0 "$(cat "$MACHINE/server.pid")" 2>/dev/null; do sleep 0.05; done; }
case "$1" in daemon-reload) test -f "$unit";; enable|start) start;; stop) stop;; restart) stop; start;; *) exit 1;; esac`,
};

let machine = "";
let port = 0;

afterAll(async () => {
  const pid = join(machine, "server.pid");
  if (existsSync(pid)) Bun.spawnSync(["kill", "-9", readFileSync(pid, "utf8").trim()]);
  await cleanUp();
});

/** A folder with what a release, a name and a certificate authority would have provided. */
async function prepare(): Promise<void> {
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
  const file = "confab-0.1.0-linux-x64";
  copyFileSync(built, join(machine, "release", file));
  const sum = createHash("sha256").update(readFileSync(built)).digest("hex");
  writeFileSync(
    join(machine, "release", "SHA256SUMS"),
    `${sum}  ${file}\n${"0".repeat(64)}  confab-0.1.0-macos-arm64\n`,
  );
  writeFileSync(join(machine, "release", "confab.service"), onMachine(page("confab.service")));
  const live = join(machine, "etc/letsencrypt/live/localhost");
  mkdirSync(live, { recursive: true });
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "60"];
  const named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", join(live, "privkey.pem"), "-out", join(live, "fullchain.pem")];
  Bun.spawnSync(["openssl", "req", "-x509", ...made, ...named, ...files]);
}

const page = (name: string) => readFileSync(join(root, "docs", name), "utf8");

function onMachine(text: string): string {
  return text
    .replaceAll("https://chat.example.com", `https://localhost:${port}`)
    .replaceAll("chat.example.com", "localhost")
    .replaceAll("port = 443", `port = ${port}`)
    .replaceAll(/(?<![\w.])\/(usr\/local\/bin|etc\/systemd|etc\/letsencrypt|var)\//g, `${machine}/$1/`);
}

function commandsOf(name: string): string[] {
  return [...page(name).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

function run(block: string): { status: number; output: string } {
  const certificate = join(machine, "etc/letsencrypt/live/localhost/fullchain.pem");
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
    const link = run("confab invite link --data /var/lib/confab").output.trim();
    const person = "-d full_name=Dee -d email=dee@example.com -d 'password=seven yellow kettles'";
    const { email, api_key } = JSON.parse(run(`curl -fsS ${person} ${link}`).output);
    const message = "-d type=channel -d to=general -d topic=hello -d content=Here";
    const sent = run(
      `curl -fsS -u ${email}:${api_key} ${message} https://chat.example.com/api/v1/messages`,
    ).output;
    expect(JSON.parse(sent)).toMatchObject({ result: "success", id: expect.any(Number) });
    const [stop = "", restore = "", ...more] = commandsOf("migrate.md");
    expect(more).toEqual([]);
    expect(run(stop)).toMatchObject({ status: 0 });
    run(`rm -rf /var/lib/confab && mkdir /var/lib/confab`);
    const restored = run(restore);
    expect([restored.status, restored.output]).toEqual([0, expect.stringContaining("Restored Ada & Co")]);
    const people = run("confab user list --data /var/lib/confab");
    expect(people.output).toContain("ben@example.com");
    expect(people.output).toContain("dee@example.com");
    expect(run(`systemctl stop`).status).toBe(0);
  }, 60_000);
});

test("the guides name no command or option that there is not", () => {
  const known =
    /^(serve|init|config|doctor|stats|backup|restore|export|user|bot|channel|default|message|invite|console)$/;
  for (const name of ["install.md", "upgrade.md", "migrate.md"]) {
    for (const [, command = ""] of page(name).matchAll(/`confab (\w+)/g)) expect(command).toMatch(known);
  }
});
