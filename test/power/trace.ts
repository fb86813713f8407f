// Parses strace's output: the system calls, in the order in which they ended.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/**
 * The system calls that are traced: those on files and sockets, and all others that could change a file, so that these are
 * noticed.
 */
const watched =
  "open,openat,openat2,creat,lseek,write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,rename,renameat,renameat2," +
  "link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,ftruncate,truncate,fallocate,fsync,fdatasync," +
  "sync,syncfs,sync_file_range,copy_file_range,sendfile,splice,io_uring_setup";

/** Installs strace if possible; otherwise returns the reason. */
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

/** A command line that runs `args`, and writes the system calls of it and its child processes to `file`. */
export function traced(file: string, args: readonly string[]): string[] {
  const quiet = ["-qq", "-e", "signal=none"];
  const whole = ["-xx", "-s", "16777216", "-y"];
  return ["strace", "-f", "--seccomp-bpf", ...quiet, ...whole, "-e", `trace=${watched}`, "-o", file, ...args];
}

export interface Call {
  name: string;
  /** The text between the parentheses, every string in hex. */
  args: string;
  /** The return value; negative on failure, NaN if the process was killed before it was known. */
  result: number;
  /** The path of the returned descriptor; empty if there is none. */
  path: string;
}

/** Called when a system call begins and when it ends; the value that `began` returns is passed on at the end. */
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
    if (name === "") continue; // lines about signals and exits of processes
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

/** The paths of the descriptors among arguments, including AT_FDCWD. */
export function descriptorsOf(args: string): { fd: string; path: string }[] {
  return [...args.matchAll(/(?:^|, )(\d+|AT_FDCWD)<([^>]*)>/g)].map(([, fd = "", path = ""]) => ({
    fd,
    path: textOf(path),
  }));
}
