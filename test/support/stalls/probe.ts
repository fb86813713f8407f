// A separate process that requests a server's health without pause, and prints the longest response time. Usage: bun probe.ts
// PORT PID; each line on stdin ends a span, for which a line is printed, and begins the next.
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";

const [port = "0", pid = "0"] = Bun.argv.slice(2);
const socket = connect(Number(port), "127.0.0.1");
socket.setNoDelay(true);
const request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
const pauseMs = 1;

/** Milliseconds that a thread ran, and that it waited for a CPU that other threads used. */
interface Times {
  ran: number;
  waited: number;
}

/** The times of each thread; null except on Linux. */
function timesOf(id: string): ReadonlyMap<string, Times> | null {
  try {
    const threads = readdirSync(`/proc/${id}/task`);
    return new Map(threads.map((thread) => [thread, timesOfThread(`/proc/${id}/task/${thread}`)]));
  } catch {
    return null;
  }
}

function timesOfThread(folder: string): Times {
  const [ran = 0, waited = 0] = readFileSync(`${folder}/schedstat`, "utf8").split(" ").map(Number);
  return { ran: ran / 1e6, waited: waited / 1e6 };
}

/** Milliseconds for which this process stood still, because other programs used the CPU or the machine was paused. */
let paused = 0;
const beatMs = 4;
let lastBeat = performance.now();
function beat(): void {
  const now = performance.now();
  const late = now - lastBeat - beatMs;
  if (late > beatMs) paused += late;
  lastBeat = now;
}
setInterval(beat, beatMs);

let longest = 0;
let ticks = 0;

async function tick(): Promise<void> {
  const before = timesOf(pid);
  const pausedBefore = paused;
  const began = performance.now();
  socket.write(request);
  await new Promise<void>((resolve, reject) => {
    let got = "";
    socket.on("data", function heard(chunk) {
      got += chunk;
      if (!/\}$|\}\r\n0\r\n\r\n$/.test(got)) return;
      socket.off("data", heard);
      resolve();
    });
    socket.once("close", () => reject(new Error("The server is gone.")));
  });
  const took = performance.now() - began;
  beat();
  longest = Math.max(longest, ownTime(took, before, timesOf(pid), paused - pausedBefore));
  ticks++;
  socket.removeAllListeners("close");
}

type ThreadTimes = ReturnType<typeof timesOf>;

/**
 * The part of a time that the server caused: the time that its main thread ran, or the time without waits for a CPU and pauses of
 * this process, whichever is longer. So computing and sleeping count, and other programs do not.
 */
function ownTime(took: number, before: ThreadTimes, after: ThreadTimes, pause: number): number {
  if (!before || !after) return took;
  const spent = [...after].map(([thread, now]) => {
    const then = before.get(thread) ?? { ran: 0, waited: 0 };
    return { thread, ran: now.ran - then.ran, waited: now.waited - then.waited };
  });
  const ran = spent.find(({ thread }) => thread === pid)?.ran ?? 0;
  const waited = spent.reduce((sum, one) => sum + one.waited, 0);
  return Math.min(took, Math.max(ran, took - waited - pause));
}

socket.on("connect", async () => {
  for (;;) {
    await tick();
    await Bun.sleep(pauseMs);
  }
});

for await (const _ of console) {
  // Wait for the request in progress, which counts for this span.
  const from = ticks;
  while (ticks === from) await Bun.sleep(1);
  console.log(JSON.stringify({ longest, ticks }));
  [longest, ticks] = [0, 0];
}
process.exit(0);
