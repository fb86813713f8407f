// The load generator, a separate process: reads one job per line on stdin, answers each with one line on stdout. Usage: bun
// load.ts PORT PID-OF-THE-SERVER
import {
  acknowledge,
  ask,
  beside,
  burst,
  enroll,
  expectEveryone,
  fanout,
  latency,
  listen,
  repeat,
  seen,
  type World,
} from "./jobs.ts";
import { openListeners } from "./listeners.ts";

const [port = "", pid = ""] = Bun.argv.slice(2);
const listeners = openListeners(Number(port), (failure) => write({ failure }));
const world: World = { port: Number(port), pid: Number(pid), listeners };

const jobs = {
  acknowledge,
  ask,
  beside,
  burst,
  enroll,
  expectEveryone,
  fanout,
  latency,
  listen,
  repeat,
  seen,
};
export type Jobs = typeof jobs;

for await (const line of console) {
  if (line === "") continue; // the end of input reads as one
  const { name, job } = JSON.parse(line) as { name: keyof Jobs; job: never };
  try {
    write({ result: await jobs[name](world, job) });
  } catch (error) {
    write({ error: error instanceof Error ? error.message : String(error) });
  }
}
process.exit(0); // the parent is gone or has no more jobs

function write(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
