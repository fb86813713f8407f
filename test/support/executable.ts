// Runs the executable as an operator does: arguments, output, exit status.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executableForTests } from "../../.ci/stale.mjs";
import { freePort } from "./ports.ts";
import { patience, until } from "./waiting.ts";

const root = join(import.meta.dir, "..", "..");
const built = executableForTests();
export const executable = built ? [built] : [process.execPath, join(root, "cli", "main.ts")];

const running = new Set<Bun.Subprocess>();
/** Those that a test ends. */
const asked = new WeakSet<Bun.Subprocess>();
const folders = new Set<string>();

/** Stops the processes that were started and removes the folders that were created, except the named ones. */
export async function cleanUp(...kept: string[]): Promise<void> {
  for (const child of running) {
    asked.add(child);
    child.kill("SIGKILL");
  }
  await Promise.all([...running].map((child) => child.exited));
  running.clear();
  for (const folder of folders) {
    if (kept.includes(folder)) continue;
    rmSync(folder, { recursive: true, force: true });
    folders.delete(folder);
  }
}

/** A new folder: empty, or a copy of another. */
export function newFolder(copyOf?: string, within = tmpdir()): string {
  const folder = mkdtempSync(join(within, "confab-test-"));
  folders.add(folder);
  if (copyOf) cpSync(copyOf, folder, { recursive: true });
  return folder;
}

export interface Finished {
  status: number;
  stdout: string;
  stderr: string;
}

interface Surroundings {
  input?: string;
  env?: Record<string, string>;
  program?: string[];
}

/** A command ends before compiled code pays: compiling takes two fifths of its time. Servers compile, as everywhere. */
const short = { BUN_JSC_useJIT: "0" };

/** Runs a command to its end. */
export async function confab(
  args: readonly string[],
  { input = "", env, program }: Surroundings = {},
): Promise<Finished> {
  const child = spawn(args, { ...short, ...env }, program);
  child.stdin.write(input);
  child.stdin.end();
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  running.delete(child);
  return { status, stdout, stderr };
}

/** The JSON output of a command; fails if the command fails. */
export async function json<T = Record<string, unknown>>(
  args: readonly string[],
  more?: Surroundings,
): Promise<T> {
  const { status, stdout, stderr } = await confab([...args, "--json"], more);
  if (status !== 0) throw new Error(`confab ${args.join(" ")}: ${stderr}`);
  const document = JSON.parse(stdout);
  const { checkDocument } = await documentChecks();
  checkDocument(args, document);
  return document as T;
}

/** By a path that tsc does not follow: it leads to all commands, and so to the whole server, in the project of the web tests, too. */
function documentChecks(path: string = "./documents.ts"): Promise<DocumentChecks> {
  return import(path);
}

interface DocumentChecks {
  checkDocument(args: readonly string[], document: unknown): void;
}

/** The options of `init` for the organization that tests run on. */
export const founding = ["--org", "Crew", "--owner-email", "olive@example.com", "--owner-name", "Olive"];

export interface Founded {
  data: string;
  owner: Credentials & { user_id: number };
}

/** Creates an organization in a folder, by default a new one. */
export async function newOrganization(data = newFolder()): Promise<Founded> {
  const { jsonHere } = await commandsHere();
  return { data, ...(await jsonHere<Pick<Founded, "owner">>(["init", "--data", data, ...founding])) };
}

/** Commands in this process, which takes a tenth of the time. By a path that tsc does not follow, as above. */
export function commandsHere(path: string = "./command-line.ts"): Promise<CommandsHere> {
  return import(path);
}

interface CommandsHere {
  runHere(args: readonly string[], input?: string): Promise<Finished>;
  jsonHere<T>(args: readonly string[], input?: string): Promise<T>;
}

/** Runs a command in a terminal of this width, typing each answer when its question appears. */
export async function inTerminal(
  args: readonly string[],
  {
    columns,
    answers = [],
  }: { columns: number; answers?: readonly (readonly [question: string, typed: string])[] },
): Promise<{ status: number; seen: string }> {
  const decoder = new TextDecoder();
  const left = [...answers];
  let seen = "";
  const child = Bun.spawn([...executable, ...args], {
    env: { ...surroundings(), TERM: "xterm" },
    terminal: {
      cols: columns,
      rows: 24,
      data(terminal, bytes) {
        seen += decoder.decode(bytes, { stream: true });
        if (left[0] && seen.endsWith(left[0][0])) terminal.write(`${left.shift()?.[1]}\r`);
      },
    },
  });
  running.add(child);
  const status = await child.exited;
  child.terminal?.close();
  return { status, seen: seen.replaceAll("\r\n", "\n") };
}

export interface Server {
  url: string;
  port: number;
  pid: number;
  /** What it has printed so far. */
  printed(): { stdout: string; stderr: string };
  signal(signal: "SIGHUP"): void;
  /** Sends a signal; resolves with the exit status once the process has ended, and all that it printed is known. */
  end(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number>;
  exited: Promise<number>;
  /** This server; one more at the same address if it has ended, so that a test fails alone. */
  revived(): Promise<Server>;
  /** The error of a request, with what became of the server. */
  explained(error: unknown): Promise<Error>;
}

/**
 * Starts `confab serve` on a free port (or the port in `args`), by default without rate limits, first channel and welcome
 * messages; resolves once it has printed that it is ready, and answers.
 */
export async function serve(
  dataDir: string,
  args: readonly string[] = [],
  {
    welcomes = false,
    isSecure = false,
    env = {} as Record<string, string>,
    program = executable,
    patienceMs = patience,
  } = {},
): Promise<Server> {
  const named = args.indexOf("--port") + 1;
  const port = named > 0 ? Number(args[named]) : await freePort();
  const unlimited = ["--rate-limit", "0", "--address-rate-limit", "0"];
  const bare = welcomes ? [] : ["--no-welcome"];
  const words = ["serve", "--data", dataDir, "--port", String(port), ...unlimited, ...bare, ...args];
  const child = spawn(words, env, program);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const url = `${isSecure || args.includes("--tls-cert") ? "https" : "http"}://127.0.0.1:${port}`;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const state = () =>
    `${hasEnded() ? howEnded(child) : "It runs"}; it has written: ${stderr.text().slice(-3_000)}`;
  await until(
    async () => hasEnded() || (stdout.text().includes("\n") && (await isAnswering(url))),
    () => `the server on ${dataDir} answers. ${state()}`,
    undefined,
    patienceMs,
  );
  if (hasEnded()) {
    running.delete(child);
    // Another program, such as these tests in another checkout, was quicker.
    if (named === 0 && stderr.text().includes(` ${port} `) && stderr.text().includes(" is taken"))
      return serve(dataDir, args, { welcomes, isSecure, env, program, patienceMs });
    throw new Error(`The server on ${dataDir} did not start. ${state()}`);
  }
  child.exited.then(() => {
    running.delete(child);
    // Whatever asks it from now on fails, in a test that may have nothing to do with this.
    if (!asked.has(child)) console.error(`The server on ${dataDir} was not asked to end. ${state()}`);
  });
  const server: Server = {
    url,
    port,
    pid: child.pid,
    printed: () => ({ stdout: stdout.text(), stderr: stderr.text() }),
    exited: child.exited,
    signal: (signal) => child.kill(signal),
    end: async (signal) => {
      asked.add(child);
      child.kill(signal);
      await Promise.all([stdout.ended, stderr.ended]);
      return child.exited;
    },
    revived: async () => {
      if (!hasEnded()) return server;
      const again = named > 0 ? args : [...args, "--port", String(port)];
      return serve(dataDir, again, { welcomes, env, program });
    },
    explained: async (error) => {
      // A process that just died may not be known to have done so.
      await Promise.race([child.exited, Bun.sleep(500)]);
      return new Error(`${error instanceof Error ? error.message : error}. The server: ${state()}`, {
        cause: error,
      });
    },
  };
  return server;
}

function howEnded({ exitCode, signalCode }: Bun.Subprocess): string {
  return signalCode === null ? `It ended with status ${exitCode}` : `It ended by ${signalCode}`;
}

function spawn(args: readonly string[], env: Record<string, string> = {}, program = executable) {
  const child = Bun.spawn([...program, ...args], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...surroundings(), ...env },
  });
  running.add(child);
  return child;
}

/** Our environment, without what the machine sets for another server. */
export function surroundings(): Record<string, string | undefined> {
  const chosen = /^(CONFAB_.*|NO_COLOR|FORCE_COLOR)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !chosen.test(name)));
}

function collect(stream: ReadableStream<Uint8Array>): { text(): string; ended: Promise<void> } {
  let text = "";
  const decoder = new TextDecoder();
  const ended = (async () => {
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  })();
  return { text: () => text, ended };
}

async function isAnswering(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/v1/server_settings`, { tls: { rejectUnauthorized: false } }).catch(
    () => null,
  );
  return answer?.status === 200;
}

export interface Credentials {
  email: string;
  api_key: string;
}

/** Sends one request of the API as a user. */
export async function call(
  server: Server,
  { email, api_key }: Credentials,
  [method, path]: readonly [method: string, path: string],
  params: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const form = new URLSearchParams(params);
  const url = `${server.url}/api/v1${path}${method === "GET" ? `?${form}` : ""}`;
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
    ...(method === "GET" ? {} : { body: form }),
  }).catch(async (error) => {
    throw await server.explained(error);
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
