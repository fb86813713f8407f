// Starts the two servers to compare, each with its own load generator.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/ports.ts";
import { type Generator, startGenerator } from "./generator.ts";
import { type Child, lastWords, newFolder, output, removeFolder, script, startServer } from "./processes.ts";
import type { Account } from "./requests.ts";
import type { Filled, World } from "./worlds.ts";

export type Server = Filled & {
  name: string;
  folder: string;
  port: number;
  pid: number;
  /** From spawn to the first successful answer. */
  startMs: number;
  run: Generator["run"];
  stop(): Promise<void>;
};

export type Prepared = { folder: string; filled: Filled };

const root = join(import.meta.dir, "..", "..");
/** Increase this when fill.ts changes what it fills. */
const fillVersion = 1;
const migrations = join(root, "src", "migrations");
const built = join(root, "dist", process.platform === "win32" ? "confab.exe" : "confab");
const isFromSource = Bun.argv.includes("--source") || !existsSync(built);
export const confabCommand = isFromSource ? [process.execPath, join(root, "cli", "main.ts")] : [built];
const patience = 30_000;

/** Confab's command: the executable, or the source if it is not built. */
export const confabKind = isFromSource ? "from source" : "dist/confab";

export async function startBare(): Promise<Server> {
  return startBareIn(newFolder("bare"));
}

export function startBareIn(folder: string): Promise<Server> {
  const anyone: Account = { email: "anyone@example.com", apiKey: "none" };
  const filled = { accounts: [anyone], channels: { fifty: 1, everyone: 2 }, lastMessageId: 0 };
  return start("bare", (port) => script("bare.ts", folder, port), { folder, filled });
}

/** A data folder with an organization filled as `world` says; nothing runs on it yet. */
export function prepare(world: World): Promise<Prepared> {
  return fill(newFolder("confab"), world);
}

/**
 * As `prepare`, for parts that only read: later runs use the same folder, unless the world, the schema or `fillVersion` has
 * changed.
 */
export async function prepareKept(world: World): Promise<Prepared> {
  const made = [world, readdirSync(migrations).sort(), fillVersion];
  const name = Bun.hash(JSON.stringify(made)).toString(36);
  const folder = join(root, "dist", "bench", name);
  const done = join(folder, "filled.json");
  if (existsSync(done)) return { folder, filled: JSON.parse(readFileSync(done, "utf8")) };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const prepared = await fill(folder, world);
  writeFileSync(done, JSON.stringify(prepared.filled));
  return prepared;
}

async function fill(folder: string, world: World): Promise<Prepared> {
  const owner = ["--org", "Bench", "--owner-email", "owner@example.com", "--owner-name", "Owner"];
  await output([...confabCommand, "init", "--data", folder, ...owner, "--json"]);
  const filled = JSON.parse(await output(script("fill.ts", folder, JSON.stringify(world)))) as Filled;
  return { folder, filled };
}

export function startConfab(prepared: Prepared, env?: Record<string, string>): Promise<Server> {
  return start("confab", (port) => serveCommand(prepared.folder, port), prepared, { env });
}

/** `more` are further arguments, such as those of a cluster's node. */
export function serveCommand(folder: string, port: number, more: readonly string[] = []): string[] {
  const unlimited = ["--rate-limit", "0", "--address-rate-limit", "0", "--no-welcome"];
  const where = ["--data", folder, "--host", "127.0.0.1", "--port", String(port)];
  return [...confabCommand, "serve", ...unlimited, ...where, ...more];
}

export function databaseIn(folder: string): string {
  return join(folder, "confab.db");
}

export async function start(
  name: string,
  command: (port: number) => string[],
  { folder, filled }: Prepared,
  { at, env }: { at?: number; env?: Record<string, string> } = {},
): Promise<Server> {
  const port = at ?? (await freePort());
  const begin = performance.now();
  const child = startServer(command(port), name, env);
  const startMs = (await firstAnswer(port, child)) - begin;
  const generator = startGenerator(port, child.pid);
  const stop = async () => {
    await Promise.all([generator.stop(), child.stop()]);
  };
  return {
    name,
    ...filled,
    folder,
    port,
    pid: child.pid,
    startMs,
    run: generator.run,
    stop,
  };
}

async function firstAnswer(port: number, child: Child): Promise<number> {
  const end = performance.now() + patience;
  while (performance.now() < end && child.isRunning()) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/server_settings`).catch(() => null);
    if (answer?.status === 200) return performance.now();
    await Bun.sleep(2);
  }
  throw new Error(`The server did not start:\n${lastWords(child)}`);
}

/** Stops a server and removes its folder, unless that is kept for later runs. */
export async function discard(server: Server): Promise<void> {
  await server.stop();
  if (!server.folder.startsWith(root)) removeFolder(server.folder);
}
