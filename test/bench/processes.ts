// Child processes and temporary folders. All are removed when the bench ends.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

export type Child = { pid: number; log: string; isRunning(): boolean; stop(): Promise<void> };
export type Piped = Bun.Subprocess<"pipe", "pipe", number>;

const tmpfs = 0x01021994;
const grace = 5_000;
const bun = process.execPath;
const here = import.meta.dir;
let folders = 0;

const root = mkdtempSync(join(durableFolder(), "confab-bench-"));
const keeper = Bun.spawn([bun, join(here, "keeper.ts")], {
  stdin: "pipe",
  stdout: "ignore",
  stderr: "ignore",
});
tellKeeper(`folder ${root}`);
keeper.unref();

/** The command line of one of the bench's own scripts. */
export function script(name: string, ...args: (string | number)[]): string[] {
  return [bun, join(here, name), ...args.map(String)];
}

export function newFolder(name: string): string {
  const folder = join(root, `${++folders}-${name}`);
  mkdirSync(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a server; its output goes to a log that `lastWords` can quote. */
/** `env` is added to the environment. */
export function startServer(command: string[], name: string, env: Record<string, string> = {}): Child {
  const log = join(root, `${++folders}-${name}.log`);
  const file = openSync(log, "a");
  const child = Bun.spawn(command, {
    stdin: "pipe",
    stdout: file,
    stderr: file,
    env: { ...process.env, ...env },
  });
  closeSync(file);
  watch(child);
  return { pid: child.pid, log, isRunning: () => child.exitCode === null, stop: () => stop(child) };
}

/** Starts a process that reads stdin and answers on stdout; its stderr joins ours. */
export function startPiped(command: string[]): Piped {
  const child: Piped = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: 2 });
  watch(child);
  return child;
}

/** Runs a command to its end and returns what it printed. */
export async function output(command: string[]): Promise<string> {
  const child = startPiped(command);
  child.stdin.end();
  const text = await new Response(child.stdout).text();
  if ((await child.exited) === 0) return text;
  const name = command.map((part) => basename(part)).join(" ");
  throw new Error(`${name.slice(0, 100)} failed; it says why above.`);
}

export async function stop(child: Bun.Subprocess): Promise<void> {
  if (child.stdin && typeof child.stdin !== "number") child.stdin.end();
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), grace);
  await child.exited;
  clearTimeout(timer);
}

export function lastWords(child: Child): string {
  return readFileSync(child.log, "utf8").trim().split("\n").slice(-5).join("\n");
}

/** Kills a process at the end of the bench, even after a crash. */
export function watch(child: Pick<Bun.Subprocess, "pid" | "exited">): void {
  tellKeeper(`process ${child.pid}`);
  child.exited.then(() => tellKeeper(`ended ${child.pid}`));
}

function tellKeeper(line: string): void {
  keeper.stdin.write(`${line}\n`);
  keeper.stdin.flush();
}

/** A temporary folder on a real disk: on a tmpfs, fsync costs nothing and both sides would look faster than they are. */
function durableFolder(): string {
  return [tmpdir(), "/var/tmp", here].find((folder) => !isInMemory(folder)) ?? tmpdir();
}

function isInMemory(folder: string): boolean {
  try {
    return statfsSync(folder).type === tmpfs;
  } catch {
    return true;
  }
}
