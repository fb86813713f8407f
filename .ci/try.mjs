// Tries an executable of any platform that this machine can run: its version, a new organization, a server, a message.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const libraries = "/usr/aarch64-linux-gnu";
const packages = ["qemu-user", "libc6-arm64-cross"];
const patienceMs = 90_000;

/**
 * What goes before the name of an executable for a platform, as release.mjs names it, to run it here: nothing or an
 * emulator. Says why not where it cannot be run. Installs the emulator where that is possible.
 */
export function runnerOf(platform) {
  const here = { win32: "windows", darwin: "macos" }[process.platform] ?? process.platform;
  if (platform === `${here}-${process.arch}`) return { runner: [] };
  if (platform !== "linux-arm64" || process.platform !== "linux")
    return { obstacle: `this machine is ${here}-${process.arch}` };
  if (!hasEmulator()) installEmulator();
  if (!hasEmulator()) return { obstacle: `install ${packages.join(" and ")}, or run this as root on Debian` };
  return { runner: ["qemu-aarch64", "-L", libraries] };
}

function hasEmulator() {
  return (
    spawnSync("qemu-aarch64", ["--version"]).status === 0 && existsSync(join(libraries, "lib", "libc.so.6"))
  );
}

function installEmulator() {
  if (process.getuid?.() !== 0) return;
  spawnSync("apt-get", ["update"]);
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages]);
}

/**
 * For the notes of a release: which executables have been run, and how. Each of `outcomes` has the name of a file and a
 * `runner`, the `fault` that was found or the `obstacle` to trying it.
 */
export function triedText(version, outcomes) {
  const lines = outcomes.map(({ file, runner, fault, obstacle }) => {
    if (fault) return `- ${file}: does not work: ${fault}`;
    if (obstacle) return `- ${file}: NOT TRIED: ${obstacle}.`;
    return `- ${file}: tried${runner.length > 0 ? ` under ${runner[0]}` : ""}: version, init, serve, one message.`;
  });
  return `# What was tried of Confab ${version}\n\n${lines.join("\n")}\n`;
}

/** Throws where something does not work. `command` is the executable's path, after what `runnerOf` gave. */
export async function tryExecutable(command) {
  const folder = mkdtempSync(join(tmpdir(), "confab-try-"));
  try {
    const version = printed(command, ["--version"]);
    if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`--version printed ${JSON.stringify(version)}.`);
    const data = ["--data", join(folder, "data")];
    const people = ["--org", "Crew", "--owner-email", "olive@example.com", "--owner-name", "Olive"];
    const { owner } = JSON.parse(printed(command, ["init", "--json", ...people, ...data]));
    await serveAndSend(command, data, owner);
    return version.trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function serveAndSend([program, ...before], data, owner) {
  const port = await freePort();
  const args = [...before, "serve", "--port", String(port), ...data];
  const server = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => server.on("exit", (status) => resolve(status)));
  let said = "";
  server.stderr.on("data", (chunk) => {
    said += chunk;
  });
  try {
    const site = `http://127.0.0.1:${port}`;
    const end = Date.now() + patienceMs;
    while (!(await fetch(`${site}/health`).catch(() => null))) {
      if (server.exitCode !== null || Date.now() > end) throw new Error(`The server did not start: ${said}`);
      await sleep(100);
    }
    const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.api_key}`).toString("base64")}`;
    const body = new URLSearchParams({
      type: "direct",
      to: JSON.stringify([owner.email]),
      content: "**hello**",
    });
    const sent = await fetch(`${site}/api/v1/messages`, { method: "POST", headers: { authorization }, body });
    const answer = await sent.json();
    if (answer.result !== "success") throw new Error(`A message was refused: ${answer.msg}`);
    if (process.platform !== "win32") {
      server.kill("SIGTERM");
      const status = await ended;
      if (status !== 0) throw new Error(`The server ended with status ${status}: ${said}`);
    }
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
}

function printed([program, ...before], args) {
  const { status, stdout, stderr, error } = spawnSync(program, [...before, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${args[0]} ended with status ${status}: ${error?.message ?? stderr}`);
  return stdout;
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
