// Preloaded into a server: measures each turn of its event loop while somebody asks for it. The environment's TURNS is the path of a
// socket; "begin" starts, and "end" answers with the milliseconds of the longest turn since, once the turn that reads it has ended.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

const path = process.env.TURNS;
// What the server starts, such as other programs, is not measured.
delete process.env.TURNS;
delete process.env.BUN_OPTIONS;

/** Milliseconds that this thread has computed: unlike the clock, they stand still while other programs use the core. */
function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const threads = "/proc/self/task";
const isLinux = existsSync(`${threads}/${process.pid}/schedstat`);

/** Milliseconds that the threads of this process have waited for a core that others used. */
function waited(): number {
  let sum = 0;
  for (const thread of readdirSync(threads)) {
    try {
      sum += Number(readFileSync(`${threads}/${thread}/schedstat`, "latin1").split(" ")[1]) / 1e6;
    } catch {
      // It has ended.
    }
  }
  return sum;
}

/** Reading the waits takes a tenth of a millisecond: they are as of the turn's begin, or of at most so long before. */
const freshMs = 5;
const waits = { at: Number.NEGATIVE_INFINITY, ms: 0 };
let began = { at: 0, computed: 0 };
let longest = 0;
let isWatching = false;
let atEnd: (() => void) | null = null;

function begin(): void {
  if (isLinux && performance.now() - waits.at > freshMs) {
    waits.ms = waited();
    waits.at = performance.now();
  }
  began = { at: performance.now(), computed: computed() };
}

/**
 * The part of the turn that the server caused: what it computed, or the time without waits for a core, which is longer if it slept or
 * waited for a disk. So other programs do not count.
 */
function own(): number {
  const ran = computed() - began.computed;
  const took = performance.now() - began.at;
  if (!isLinux || took <= longest) return ran;
  return Math.max(ran, took - (waited() - waits.ms));
}

/** Runs once in each turn of the event loop, which does not rest meanwhile. */
function turn(): void {
  if (!isWatching) return;
  longest = Math.max(longest, own());
  if (atEnd) {
    isWatching = false;
    atEnd();
    atEnd = null;
    return;
  }
  begin();
  setImmediate(turn);
}

if (path && Bun.isMainThread) {
  createServer((socket) => {
    socket.on("data", (asked) => {
      if (String(asked) === "end") {
        atEnd = () => socket.write(`${longest}\n`);
        return;
      }
      longest = 0;
      begin();
      if (!isWatching) setImmediate(turn);
      isWatching = true;
      socket.write("begun\n");
    });
    socket.on("error", () => {}).on("close", () => (isWatching = false));
  })
    .listen(path)
    .unref();
}
