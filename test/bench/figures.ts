// Reads figures of processes and files, and does simple arithmetic on them.
import { dlopen } from "bun:ffi";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const ticksPerSecond = 100; // USER_HZ, the same on every Linux that Bun runs on

/** Milliseconds of CPU a process has used, all threads, ended ones too, user and system; null where there is no /proc. */
export function cpuMs(pid: number): number | null {
  return clockMs(pid) ?? ticksMs(pid);
}

/** Reads the CPU clock of another process, which counts nanoseconds (clock_getcpuclockid(3)); null without glibc. */
const clockMs = (() => {
  if (process.platform !== "linux") return () => null;
  try {
    const { symbols } = dlopen("libc.so.6", { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } });
    const time = new BigInt64Array(2);
    return (pid: number) => {
      if (symbols.clock_gettime((~pid << 3) | 2, time) !== 0) return null;
      const [seconds = 0n, nanoseconds = 0n] = time;
      return Number(seconds) * 1000 + Number(nanoseconds) / 1_000_000;
    };
  } catch {
    return () => null;
  }
})();

/** The same from /proc, which cuts user and system time off to whole ticks. */
function ticksMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  } catch {
    return null;
  }
}

/** Resident megabytes of a process; null where there is no /proc. */
export function residentMb(pid: number): number | null {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

/** How many files and sockets a process may open. Bun raises its own limit to this at its start. */
export function openFileLimit(): number {
  try {
    const limit = /Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
