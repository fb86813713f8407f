// Runs until shortly after the bench ends, even if that crashes, and then removes its processes and folders. Reads lines of the
// form `process PID`, `ended PID` and `folder PATH`; end of input is the signal.
import { rmSync } from "node:fs";

const pids = new Set<number>();
const folders: string[] = [];
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

for await (const line of console) {
  const [word, value = ""] = line.split(/ (.*)/s);
  if (word === "process") pids.add(Number(value));
  if (word === "ended") pids.delete(Number(value));
  if (word === "folder") folders.push(value);
}

for (const pid of pids) kill(pid);
if (pids.size > 0) await Bun.sleep(100);
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has just ended by itself
  }
}
