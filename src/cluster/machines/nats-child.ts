// The nats-server of a machine: started again when it ends, its log in ours, and stopped with this process. One whose process was killed
// runs on, so that the cluster need not elect, and the next process goes on with it.
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Log } from "@/kernel/lib/log.ts";
import { configurationFile, logFile } from "./nats-program.ts";

/** One that this process has started, or one of an earlier process. */
interface Running {
  readonly pid: number;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
}

const firstPauseMs = 250;
const maxPauseMs = 30_000;
/** One that has run for this long is started again at once. */
const steadyMs = 60_000;
const stoppingMs = 10_000;
const lookMs = 500;
const greetingMs = 2_000;
const processFile = "nats.pid";

export class NatsChild {
  private running: Running | null = null;
  private again: ReturnType<typeof setTimeout> | null = null;
  private pauseMs = firstPauseMs;
  private isStopped = false;
  private lastError = "";
  private readonly said: FollowedFile;
  private reading: ReturnType<typeof setInterval> | null = null;
  /** It must not outlive a process that ends by itself. */
  private readonly onExit = () => this.send("SIGTERM");

  constructor(
    private readonly program: string,
    /** Holds its configuration, its log and its store. */
    private readonly folder: string,
    private readonly log: Log,
  ) {
    this.said = new FollowedFile(join(folder, logFile));
  }

  /** Goes on with the one of an earlier process that was killed, if that is the same program and `isFit`; or else starts one. */
  async start(isFit: () => Promise<boolean>): Promise<void> {
    this.said.skip();
    const pid = this.formerPid();
    const isKept = pid !== null && isProgramOf(pid, this.program) && (await isFit());
    if (pid !== null && !isKept) await this.endFormer(pid);
    process.on("exit", this.onExit);
    this.reading = setInterval(() => this.readLog(), lookMs);
    if (isKept) {
      this.log.info("nats_kept", { pid });
      this.watch({ pid, ended: this.goneFormer(pid) });
    } else this.run();
  }

  /** Ends it, so that it is started again. */
  restart(): void {
    this.send("SIGTERM");
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.again) clearTimeout(this.again);
    process.off("exit", this.onExit);
    if (this.running) {
      this.send("SIGTERM");
      const late = setTimeout(() => this.send("SIGKILL"), stoppingMs);
      await this.running.ended;
      clearTimeout(late);
      rmSync(this.pidFile, { force: true });
    }
    if (this.reading) clearInterval(this.reading);
    this.readLog();
    this.said.close();
  }

  private get pidFile(): string {
    return join(this.folder, processFile);
  }

  private get configuration(): string {
    return join(this.folder, configurationFile);
  }

  private send(signal: NodeJS.Signals): void {
    if (this.running) sendTo(this.running.pid, signal);
  }

  private run(): void {
    const command = [this.program, "-c", this.configuration];
    try {
      // Apart from our group, because a terminal sends its interrupt to all of it, and we need NATS until we have ended.
      const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe", detached: true });
      writeFileSync(this.pidFile, `${child.pid}\n`, { mode: 0o600 });
      // What it says before it has read where its log is.
      void new Response(child.stderr).text().then((text) => this.noteAll(text.split("\n")));
      const ended = child.exited.then(() =>
        child.signalCode === null ? `status ${child.exitCode}` : `${child.signalCode}`,
      );
      this.watch({ pid: child.pid, ended });
    } catch (error) {
      this.ended((error as Error).message, 0);
    }
  }

  private watch(running: Running): void {
    const startedAt = performance.now();
    this.running = running;
    void running.ended.then((how) => {
      this.running = null;
      this.readLog();
      this.ended(how, performance.now() - startedAt);
    });
  }

  private ended(how: string, ranMs: number): void {
    if (this.isStopped) return;
    if (ranMs > steadyMs) this.pauseMs = firstPauseMs;
    this.log.error("nats_ended", { how, last_error: this.lastError, starts_again_in_ms: this.pauseMs });
    this.lastError = "";
    this.again = setTimeout(() => this.run(), this.pauseMs);
    this.pauseMs = Math.min(2 * this.pauseMs, maxPauseMs);
  }

  private readLog(): void {
    this.noteAll(this.said.lines());
  }

  private noteAll(lines: readonly string[]): void {
    for (const line of lines) if (line !== "") this.note(line);
  }

  /** Its lines look like "[42] 2026/11/29 10:00:00.000000 [INF] Server is ready"; what it says before it has a log does not. */
  private note(line: string): void {
    const [, level = "ERR", said = line] = /^\[\d+\] \S+ \S+ \[(\w{3})\] (.*)$/.exec(line) ?? [];
    if (level === "ERR" || level === "FTL") {
      this.lastError = said;
      this.log.error("nats", { said });
    } else if (level === "WRN") this.log.warn("nats", { said });
    else this.log.info("nats", { said });
  }

  /** The process ID of the one that an earlier, killed process left; null if that does not run. */
  private formerPid(): number | null {
    const pid = existsSync(this.pidFile) ? Number(readFileSync(this.pidFile, "utf8")) : 0;
    return pid > 0 && this.isFormer(pid) ? pid : null;
  }

  /** False if another program has got its process ID meanwhile. */
  private isFormer(pid: number): boolean {
    return commandOf(pid).includes(this.configuration);
  }

  private async goneFormer(pid: number): Promise<string> {
    while (this.isFormer(pid)) await Bun.sleep(lookMs);
    return "unknown";
  }

  /** It has our ports and our store. */
  private async endFormer(pid: number): Promise<void> {
    const until = performance.now() + stoppingMs;
    sendTo(pid, "SIGTERM");
    while (this.isFormer(pid)) {
      if (performance.now() > until) sendTo(pid, "SIGKILL");
      await Bun.sleep(50);
    }
  }
}

/** Whether a nats-server answers there: it says first who it is. */
export function greets(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port, timeout: greetingMs });
  socket.once("data", (bytes) => resolve(bytes.toString().startsWith("INFO ")));
  for (const event of ["error", "timeout", "close"]) socket.once(event, () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** What is appended to a file, by lines, also when another one takes its place. */
class FollowedFile {
  private file: number | null = null;
  private at = 0;
  private rest = "";

  constructor(private readonly path: string) {}

  /** What is there already is not of interest. */
  skip(): void {
    const file = this.open();
    if (file !== null) this.at = fstatSync(file).size;
  }

  /** Those that were completed since the last time. */
  lines(): string[] {
    const isComplete = this.hasSuccessor();
    let text = this.readOn();
    if (isComplete) {
      this.close();
      text += this.readOn();
    }
    const lines = (this.rest + text).split("\n");
    this.rest = (lines.pop() ?? "").slice(-maxLine);
    return lines;
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
    this.at = 0;
  }

  private open(): number | null {
    if (this.file === null && existsSync(this.path)) this.file = openSync(this.path, "r");
    return this.file;
  }

  private hasSuccessor(): boolean {
    if (this.file === null || !existsSync(this.path)) return false;
    return statSync(this.path).ino !== fstatSync(this.file).ino;
  }

  private readOn(): string {
    const file = this.open();
    if (file === null) return "";
    const bytes = Buffer.alloc(fstatSync(file).size - this.at);
    this.at += readSync(file, bytes, 0, bytes.length, this.at);
    return bytes.toString();
  }
}

const maxLine = 10_000;

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Empty if there is no such process. */
function commandOf(pid: number): string {
  if (existsSync("/proc/self/cmdline")) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  }
  return Bun.spawnSync(["ps", "-o", "command=", "-p", String(pid)]).stdout.toString();
}

/** Whether a process runs this program, and not one that has had its place before an upgrade. */
function isProgramOf(pid: number, program: string): boolean {
  try {
    // The path there is one of the process's own mounts, which systemd makes for each start of a service.
    const [running, here] = [statSync(`/proc/${pid}/exe`), statSync(program)];
    return running.dev === here.dev && running.ino === here.ino;
  } catch {
    // Only Linux tells.
    return false;
  }
}
