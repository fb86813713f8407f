// npm run bench: DESIGN.md's budgets as a table, both sides measured in the same run.
import { parseArgs } from "node:util";
import { type Bench, full, type Part, quick } from "./bench.ts";
import { fanout, latency } from "./parts/delivery.ts";
import { page } from "./parts/pages.ts";
import { search } from "./parts/searching.ts";
import { listen, send, wide } from "./parts/sending.ts";
import { disk, queues, register, start } from "./parts/standing.ts";
import { confabKind, prepare, startBare, startConfab } from "./servers.ts";
import { type Row, table } from "./table.ts";
import { large, team } from "./worlds.ts";

const parts = [send, listen, wide, latency, fanout, page, search, register, queues, disk, start];
const comparable = new Set([send, listen, latency, fanout]);
const usage = `Usage: npm run bench -- [options]
  --quick        small sizes, under a minute
  --only NAME    one part (repeatable): ${parts.map((part) => part.name).join(", ")}
  --json         one JSON document with every round on stdout
  --source       run Confab from source even if dist/confab is there
  --self         a second bare server in Confab's place: how far two equals differ on this machine`;

const options = parseOptions();
const sizes = options.quick ? quick : full;
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
  if (options.json) {
    console.log(JSON.stringify({ quick: options.quick ?? false, rows, failures }, null, 2));
    return;
  }
  if (rows.length > 0) console.log(table(rows));
  for (const { part, message } of failures) console.log(`\nFAILED ${part}: ${message}`);
}

function parseOptions() {
  try {
    return parseArgs({
      options: {
        quick: { type: "boolean" },
        only: { type: "string", multiple: true },
        json: { type: "boolean" },
        source: { type: "boolean" },
        self: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function say(text: string): void {
  console.error(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${text}`);
}

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}
