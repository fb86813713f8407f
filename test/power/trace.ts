// Parses strace's output: the system calls, in the order in which they ended.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** File and socket calls; whatever else could change a file is among them so that it is noticed. */
const watched =
  "open,openat,openat2,creat,lseek,write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,rename,renameat,renameat2," +
  "link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,ftruncate,truncate,fallocate,fsync,fdatasync," +
  "sync,syncfs,sync_file_range,copy_file_range,sendfile,splice,io_uring_setup";

/** Installs strace where that is possible; says what is in the way where it is not. */
export function obstacleToTracing(): string | null {
  if (process.platform !== "linux") return "It takes strace, which runs on Linux alone.";
  if (!Bun.which("strace")) {
    if (process.getuid?.() !== 0 || !Bun.which("apt-get"))
      return "Install strace, or run this as root on Debian.";
    Bun.spawnSync(["apt-get", "update"]);
    const { success } = Bun.spawnSync(["apt-get", "install", "-y", "--no-install-recommends", "strace"]);
    if (!success) return "apt-get could not install strace.";
  }
  const { success, stderr } = Bun.spawnSync(["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true"]);
  return success ? null : `strace does not work here: ${stderr.toString().trim()}`;
}

/** A command line that runs `args` and writes their system calls, and those of all they start, to `file`. */
export function traced(file: string, args: readonly string[]): string[] {
  const quiet = ["-qq", "-e", "signal=none"];
  const whole = ["-xx", "-s", "16777216", "-y"];
  return ["strace", "-f", "--seccomp-bpf", ...quiet, ...whole, "-e", `trace=${watched}`, "-o", file, ...args];
}

export interface Call {
  name: string;
  /** The text between the parentheses, every string in hex. */
  args: string;
  /** What it returned; negative where it failed, NaN where its process was killed before that was known. */
  result: number;
  /** The path of the descriptor that it returned; empty where it returned none. */
  path: string;
}

/**
 * Called for each system call when it begins and when it ends; `began` returns a value that is passed on at the end.
 */
export interface Listener<T> {
  began(name: string, args: string): T;
  ended(call: Call, begun: T): void;
}

const start = /^(\d+) +(\w+)\((.*)$/s;
const resumed = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/s;
const end = /^(.*?)\)? += (-?\d+|\?)(?:<([^>]*)>)?[^=]*$/s;

export async function readTrace<T>(file: string, listener: Listener<T>): Promise<void> {
  const pending = new Map<string, { name: string; args: string; begun: T }>();
  const finish = (name: string, text: string, begun: T) => {
    const found = end.exec(text);
    if (!found) throw new Error(`strace wrote a line of another form: ${name}(${text.slice(-200)}`);
    const [, args = "", result, path = ""] = found;
    listener.ended({ name, args, result: Number(result), path: textOf(path) }, begun);
  };
  for await (const line of createInterface({ input: createReadStream(file, "latin1") })) {
    const again = resumed.exec(line);
    if (again) {
      const [, pid = "", , rest = ""] = again;
      const call = pending.get(pid);
      pending.delete(pid);
      if (call) finish(call.name, call.args + rest, call.begun);
      continue;
    }
    const [, pid = "", name = "", rest = ""] = start.exec(line) ?? [];
    if (name === "") continue; // of signals and ends of processes
    const unfinished = rest.lastIndexOf(" <unfinished ...>");
    if (unfinished < 0) finish(name, rest, listener.began(name, rest));
    else {
      const args = rest.slice(0, unfinished);
      pending.set(pid, { name, args, begun: listener.began(name, args) });
    }
  }
  for (const { name, args, begun } of pending.values()) {
    listener.ended({ name, args, result: Number.NaN, path: "" }, begun);
  }
}

/** The bytes of a string as strace prints it with -xx, without the quotes. */
export function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex.replaceAll("\\x", ""), "hex");
}

export function textOf(hex: string): string {
  return hex.includes("\\x") ? Buffer.from(bytesOf(hex)).toString("utf8") : hex;
}

/** All quoted strings among arguments. */
export function stringsOf(args: string): string[] {
  return [...args.matchAll(/"([^"]*)"(\.\.\.)?/g)].map(([, hex = "", cut]) => {
    if (cut) throw new Error("strace cut a string short");
    return hex;
  });
}

/** The paths of the descriptors among arguments, those of `AT_FDCWD` too. */
export function descriptorsOf(args: string): { fd: string; path: string }[] {
  return [...args.matchAll(/(?:^|, )(\d+|AT_FDCWD)<([^>]*)>/g)].map(([, fd = "", path = ""]) => ({
    fd,
    path: textOf(path),
  }));
}
