// npm run bench: the figures and budgets of docs/performance.md as a table, both sides measured in the same run.
import { parseArgs } from "node:util";
import { type Bench, full, type Part, quick } from "./bench.ts";
import { terminal } from "./parts/console.ts";
import { fanout, latency } from "./parts/delivery.ts";
import { large as hugeWorld, idle } from "./parts/huge.ts";
import { importing } from "./parts/importing.ts";
import { page } from "./parts/pages.ts";
import { search } from "./parts/searching.ts";
import { keys, listen, load, send, wide } from "./parts/sending.ts";
import { several } from "./parts/several.ts";
import { stalls } from "./parts/stalls.ts";
import { disk, queues, register, start } from "./parts/standing.ts";
import { web } from "./parts/web.ts";
import { webAdminister } from "./parts/web-administer.ts";
import { webBusy } from "./parts/web-busy.ts";
import { otherMachine, type Run, readSaved, type SavedRun, save, written } from "./saved-runs.ts";
import { confabKind, prepare, startBare, startConfab } from "./servers.ts";
import { changes, type Row, table } from "./table.ts";
import { large, team } from "./worlds.ts";

const parts = [
  send,
  listen,
  keys,
  wide,
  load,
  latency,
  fanout,
  page,
  search,
  stalls,
  importing,
  register,
  hugeWorld,
  queues,
  disk,
  start,
  idle,
  web,
  webBusy,
  webAdminister,
  several,
  terminal,
];
const comparable = new Set([send, listen, latency, fanout]);
const usage = `Usage: npm run bench -- [options]
  --quick        small sizes, under a minute
  --only NAME    one part (repeatable): ${parts.map((part) => part.name).join(", ")}
  --save FILE    keep the figures for a later --compare
  --compare FILE print what became better or worse than in a saved run
  --json         one JSON document with every round on stdout
  --source       run Confab from source even if dist/confab is there
  --self         a second bare server in Confab's place: how far two equals differ on this machine`;

const options = parseOptions();
const sizes = options.quick ? quick : full;
const before = options.compare ? savedRun(options.compare) : null;
const failures: { part: string; message: string }[] = [];
const begin = performance.now();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

say(options.self ? "Measuring the bare server against itself." : `Measuring Confab (${confabKind}).`);
const rows: Row[] = [];
for (const part of chosen()) await measure(part);
print();
process.exit(failures.length > 0 ? 1 : 0);

async function measure(part: Part): Promise<void> {
  const bench: Bench = {
    sizes,
    progress: (text) => say(`${part.name}: ${text}`),
    add: (row) => rows.push(row),
    openTeam: async () => (options.self ? startBare() : startConfab(await prepare(team))),
    openLarge: async () =>
      options.self ? startBare() : startConfab(await prepare(large(sizes.users, sizes.channels))),
  };
  try {
    bench.progress("starting");
    await part.run(bench);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    failures.push({ part: part.name, message });
    bench.progress(`FAILED: ${message}`);
  }
}

function chosen(): Part[] {
  const wanted = options.only ?? parts.map((part) => part.name);
  const unknown = wanted.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined) stop(`There is no part named ${unknown}.\n${usage}`);
  return parts.filter((part) => wanted.includes(part.name) && (!options.self || comparable.has(part)));
}

function print(): void {
  const run = { quick: options.quick ?? false, rows, failures };
  if (options.save) keep(options.save, run);
  if (options.json) {
    console.log(written(run));
    return;
  }
  if (rows.length > 0) console.log(table(rows));
  if (before) {
    const changed = changes(before.rows, rows, options.only === undefined);
    console.log(`\nCompared with ${options.compare}:\n${otherMachine(before)}${changed}`);
  }
  for (const { part, message } of failures) console.log(`\nFAILED ${part}: ${message}`);
}

function parseOptions() {
  try {
    return parseArgs({
      options: {
        quick: { type: "boolean" },
        only: { type: "string", multiple: true },
        json: { type: "boolean" },
        save: { type: "string" },
        compare: { type: "string" },
        source: { type: "boolean" },
        self: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function savedRun(file: string): SavedRun {
  try {
    return readSaved(file, { quick: options.quick ?? false });
  } catch (error) {
    return stop((error as Error).message);
  }
}

/** The figures are printed even if they cannot be kept. */
function keep(file: string, run: Run): void {
  try {
    save(file, run);
  } catch (error) {
    failures.push({ part: "--save", message: (error as Error).message });
  }
}

function say(text: string): void {
  console.error(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${text}`);
}

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}
