// A nats-server as a child process: started again when it ends, its log in ours, and stopped with this process.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@/kernel/lib/log.ts";
import { configurationFile } from "./nats-program.ts";

type Child = Bun.Subprocess<"ignore", "ignore", "pipe">;

const firstPauseMs = 250;
const maxPauseMs = 30_000;
/** One that has run for this long is started again at once. */
const steadyMs = 60_000;
const stoppingMs = 10_000;
const processFile = "nats.pid";

export class NatsChild {
  private child: Child | null = null;
  private again: ReturnType<typeof setTimeout> | null = null;
  private pauseMs = firstPauseMs;
  private isStopped = false;
  private lastError = "";
  /** It must not outlive this process, however that ends. */
  private readonly onExit = () => void this.child?.kill();

  constructor(
    private readonly program: string,
    /** Holds its configuration and its store. */
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  async start(): Promise<void> {
    await this.endFormer();
    process.on("exit", this.onExit);
    this.run();
  }

  /** Has it read its configuration again. */
  reload(): void {
    this.child?.kill("SIGHUP");
  }

  /** Ends it, so that it is started again. */
  restart(): void {
    this.child?.kill();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.again) clearTimeout(this.again);
    process.off("exit", this.onExit);
    const { child } = this;
    if (!child) return;
    child.kill();
    const late = setTimeout(() => child.kill("SIGKILL"), stoppingMs);
    await child.exited;
    clearTimeout(late);
    rmSync(this.pidFile, { force: true });
  }

  private get pidFile(): string {
    return join(this.folder, processFile);
  }

  private get configuration(): string {
    return join(this.folder, configurationFile);
  }

  private run(): void {
    const command = [this.program, "-c", this.configuration];
    const startedAt = performance.now();
    try {
      const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
      this.child = child;
      writeFileSync(this.pidFile, `${child.pid}\n`, { mode: 0o600 });
      void this.passLogOn(child);
      void child.exited.then(() => {
        this.child = null;
        this.ended(
          child.signalCode === null ? `status ${child.exitCode}` : `${child.signalCode}`,
          performance.now() - startedAt,
        );
      });
    } catch (error) {
      this.ended((error as Error).message, 0);
    }
  }

  private ended(how: string, ranMs: number): void {
    if (this.isStopped) return;
    if (ranMs > steadyMs) this.pauseMs = firstPauseMs;
    this.log.error("nats_ended", { how, last_error: this.lastError, starts_again_in_ms: this.pauseMs });
    this.lastError = "";
    this.again = setTimeout(() => this.run(), this.pauseMs);
    this.pauseMs = Math.min(2 * this.pauseMs, maxPauseMs);
  }

  private async passLogOn(child: Child): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of child.stderr) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = (lines.pop() ?? "").slice(-maxLine);
      for (const line of lines) this.note(line);
    }
    if (rest !== "") this.note(rest);
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

  /** Ends the one of an earlier process that was killed, since it has our ports and our store. */
  private async endFormer(): Promise<void> {
    const pid = existsSync(this.pidFile) ? Number(readFileSync(this.pidFile, "utf8")) : 0;
    // Another program may have its number by now.
    const isOurs = () => pid > 0 && commandOf(pid).includes(this.configuration);
    const until = performance.now() + stoppingMs;
    if (isOurs()) sendTo(pid, "SIGTERM");
    while (isOurs()) {
      if (performance.now() > until) sendTo(pid, "SIGKILL");
      await Bun.sleep(50);
    }
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
