// A separate process that asks a server for its health without pause, and prints the longest time of an answer.
// Usage: bun probe.ts PORT PID; each line on stdin ends one span, for which a line is printed, and begins the next.
import { readFileSync } from "node:fs";
import { connect } from "node:net";

const [port = "0", pid = "0"] = Bun.argv.slice(2);
const socket = connect(Number(port), "127.0.0.1");
socket.setNoDelay(true);
const request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
const pauseMs = 1;

/** Milliseconds that a process's main thread ran and waited for a CPU; null except on Linux. */
function timesOf(id: string | number): { ran: number; waited: number } | null {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${id}/task/${id}/schedstat`, "utf8")
      .split(" ")
      .map(Number);
    return { ran: ran / 1e6, waited: waited / 1e6 };
  } catch {
    return null;
  }
}

let longest = 0;
let ticks = 0;

async function tick(): Promise<void> {
  const [server, self] = [timesOf(pid), timesOf(process.pid)];
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
  const [serverAfter, selfAfter] = [timesOf(pid), timesOf(process.pid)];
  longest = Math.max(longest, ownTime(took, [server, serverAfter], [self, selfAfter]));
  ticks++;
  socket.removeAllListeners("close");
}

type Times = ReturnType<typeof timesOf>;

/** The server's part of a time: without the time in which other processes had the CPU. */
function ownTime(took: number, [before, after]: [Times, Times], [mine, mineAfter]: [Times, Times]): number {
  if (!before || !after || !mine || !mineAfter) return took;
  const waited = after.waited - before.waited + (mineAfter.waited - mine.waited);
  return Math.min(took, Math.max(after.ran - before.ran, took - waited));
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
