// The recorded run: what a server and commands acknowledged, and when.

import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { tarred } from "../support/imports/archives.ts";
import { zulipExport } from "../support/imports/zulip.ts";
import { png } from "../support/pictures.ts";
import { freePort } from "../support/ports.ts";
import { basic } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { Recorder, type Recording } from "./disk.ts";
import { readTrace, traced } from "./trace.ts";

export interface Owner {
  email: string;
  api_key: string;
}

/** What was sent, by the server's answer. The recording shows whether it was acknowledged at a given moment. */
export interface Sent {
  /** Contents of messages by ID, in each data folder. */
  messages: Record<string, Map<number, string>>;
  /** Bytes of files by their addresses, in each data folder. */
  files: Record<string, Map<string, Uint8Array>>;
}

export interface Run {
  recording: Recording;
  sent: Sent;
  owner: Owner;
  /** The folder that was recorded. */
  root: string;
}

const founding = ["--org", "Crew", "--owner-email", "olive@example.com", "--owner-name", "Olive"];
export const marks = /MARK (\S+) (\d+)/g;

/** Runs servers and commands under strace, on a separate disk in `folder`; `seconds` is the length of each load. */
export async function recordRun(folder: string, seconds: number): Promise<Run> {
  const root = join(folder, "disk");
  mkdirSync(root);
  const trace = join(folder, "trace");
  const shell = new Shell(traced(trace, ["sh"]), root);
  try {
    const all = await runAll(shell, folder, seconds);
    await shell.end();
    const recorder = new Recorder(root);
    await readTrace(trace, recorder);
    return { recording: recorder.recording(), ...all, root };
  } finally {
    shell.kill();
  }
}

async function runAll(shell: Shell, folder: string, seconds: number): Promise<Pick<Run, "sent" | "owner">> {
  const root = join(folder, "disk");
  const sent: Sent = { messages: {}, files: {} };
  const chat = join(root, "chat");
  const copy = join(root, "copy");
  const archive = join(root, "archive.tgz");

  const { owner } = JSON.parse(await shell.run("init", ["init", "--json", ...founding, "--data", chat])) as {
    owner: Owner;
  };
  await shell.run("channel", ["channel", "create", "load", "--subscribe", owner.email, "--data", chat]);
  let server = await shell.serve("chat", chat);
  writeFileSync(join(folder, "key"), owner.api_key, { mode: 0o600 });
  const account = ["--address", server.url, "--email", owner.email, "--key-file", join(folder, "key")];
  await shell.run("profile", ["profile", "add", "work", ...account]);
  const first = load(server.url, owner, sent, "chat", seconds);
  await Bun.sleep(seconds * 500);
  await shell.run("backup", ["backup", archive, "--data", chat]);
  await shell.run("export", ["export", "organization", join(root, "export.json"), "--data", chat]);
  await first;
  await server.end("TERM"); // checkpoints the write-ahead log

  server = await shell.serve("chat", chat);
  const second = load(server.url, owner, sent, "chat", seconds);
  await Bun.sleep(seconds * 900);
  await until(() => hasEnough(sent, "chat"), "enough was sent");
  await server.end("KILL");
  await second;

  server = await shell.serve("chat", chat);
  await load(server.url, owner, sent, "chat", seconds / 2);
  await shell.run("restore", ["restore", archive, "--data", copy]);
  await server.end("TERM");
  server = await shell.serve("copy", copy);
  await load(server.url, owner, sent, "copy", seconds / 2);
  await server.end("TERM");
  const foreign = await tarred(join(folder, "foreign.tar.gz"), zulipExport());
  await shell.run("import", ["import", "zulip", foreign, "--data", join(root, "imported")]);
  return { sent, owner };
}

/** A shell under strace that starts the commands it is told; reports the end of each as "MARK NAME STATUS". */
class Shell {
  private readonly child;
  private readonly written: string[] = [];
  private readonly servers = new Set<number>();
  private text = "";

  constructor(
    args: readonly string[],
    private readonly folder: string,
  ) {
    const env = { ...process.env, XDG_CONFIG_HOME: join(this.folder, "config") };
    this.child = Bun.spawn([...args], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
      cwd: this.folder,
      env,
    });
    this.collect();
  }

  private async collect(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.child.stdout) this.text += decoder.decode(chunk, { stream: true });
  }

  /** Runs a command of confab to its end; resolves with its output. */
  async run(name: string, args: readonly string[]): Promise<string> {
    const from = this.text.length;
    this.tell(`echo MARK ${name}-begins 0; ${quoted([...executable, ...args])}; echo MARK ${name} $?`);
    const status = await this.marked(name, from);
    if (status !== "0") throw new Error(`confab ${args.join(" ")} ended with status ${status}.`);
    return this.text.slice(from).replaceAll(/^MARK .*\n/gm, "");
  }

  async serve(
    name: string,
    dataDir: string,
  ): Promise<{ url: string; end(signal: "TERM" | "KILL"): Promise<void> }> {
    const port = await freePort();
    const from = this.text.length;
    const limits = ["--rate-limit", "0", "--address-rate-limit", "0"];
    const args = ["serve", "--data", dataDir, "--port", String(port), ...limits];
    this.tell(`${quoted([...executable, ...args])} >/dev/null 2>&1 & echo MARK serve-${name} $!`);
    const pid = Number(await this.marked(`serve-${name}`, from));
    this.servers.add(pid);
    const url = `http://127.0.0.1:${port}`;
    await until(() => fetch(`${url}/health`).catch(() => null), "the server answers", 20);
    return {
      url,
      end: async (signal) => {
        const at = this.text.length;
        this.tell(`kill -${signal} ${pid}; { wait ${pid}; } 2>/dev/null; echo MARK end 0`);
        await this.marked("end", at);
        this.servers.delete(pid);
      },
    };
  }

  async end(): Promise<void> {
    this.child.stdin.end();
    if ((await this.child.exited) !== 0) throw new Error("strace failed; its messages stand above.");
  }

  /** Ends what is still running if the recording failed. */
  kill(): void {
    for (const pid of this.servers) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // The process has ended already, as expected.
      }
    }
    this.child.kill("SIGKILL");
  }

  private tell(line: string): void {
    this.written.push(line);
    this.child.stdin.write(`${line}\n`);
    this.child.stdin.flush();
  }

  private async marked(name: string, from: number): Promise<string> {
    while (true) {
      for (const [, found, status = ""] of this.text.slice(from).matchAll(marks))
        if (found === name) return status;
      if (this.child.exitCode !== null) throw new Error(`The shell ended while ${this.written.at(-1)} ran.`);
      await Bun.sleep(5);
    }
  }
}

function quoted(args: readonly string[]): string {
  return args.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(" ");
}

/** Whether so much was sent that cuts of the power find something, however slow the machine is under strace. */
function hasEnough({ messages, files }: Sent, name: string): boolean {
  return (messages[name]?.size ?? 0) > 100 && (files[name]?.size ?? 0) > 20;
}

/** Sends, edits and uploads until the time is over and enough was sent, or the server is gone. */
async function load(url: string, owner: Owner, sent: Sent, name: string, seconds: number): Promise<void> {
  const headers = { authorization: basic(owner.email, owner.api_key) };
  const messages = sent.messages[name] ?? new Map<number, string>();
  const files = sent.files[name] ?? new Map<string, Uint8Array>();
  sent.messages[name] = messages;
  sent.files[name] = files;
  const end = performance.now() + seconds * 1000;
  const ask = async (
    path: string,
    body: URLSearchParams | FormData,
  ): Promise<Record<string, unknown> | null> =>
    fetch(`${url}/api/v1${path}`, { method: "POST", headers, body })
      .then((answer) => answer.json() as Promise<Record<string, unknown>>)
      .catch(() => null);
  const repeat = async (step: (n: number) => Promise<unknown>) => {
    for (let n = 0; performance.now() < end || !hasEnough(sent, name); n++)
      if ((await step(n)) === null) return;
  };
  const label = randomBytes(3).toString("hex");
  const send = (who: number) => async (n: number) => {
    const content = `${label} ${who} ${n} ${"word ".repeat(n % 40)}`.trim();
    const body = new URLSearchParams({ type: "channel", to: "load", topic: "power", content });
    const answer = await ask("/messages", body);
    if (typeof answer?.id === "number") messages.set(answer.id, content);
    return answer;
  };
  const upload = async (n: number) => {
    const bytes = randomBytes(n % 5 === 0 ? 150_000 : 2000);
    const answer = await ask("/user_uploads", formOf(new File([bytes], "load.bin")));
    if (typeof answer?.url === "string") files.set(answer.url, bytes);
    return answer;
  };
  const picture = async (n: number) => {
    const bytes = png(16, 16, (x, y) => [x * 15, y * 15, n % 256, 255]);
    const path = [`/realm/emoji/${name}_${label}_${n}`, "/users/me/avatar", "/realm/icon"][n % 3] ?? "";
    return ask(path, formOf(new File([bytes], "dot.png")));
  };
  await Promise.all([
    ...Array.from({ length: 8 }, (_, who) => repeat(send(who))),
    repeat(upload),
    repeat(upload),
    repeat(picture),
  ]);
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.append("file", file);
  return form;
}
