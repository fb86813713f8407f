// `npm run test:cluster`: runs test/cluster, with arguments for `bun test` and names of its files: `-- --times 20 partitions`
// causes each fault of partitions.ts twenty times. --results names a file that keeps what was found, so that a run which was
// interrupted, or given only a part (`-- partitions`, `-- -t "the leader is killed"`), goes on where it ended. --show only prints it.
// --limits fails where the outages are longer than they may be.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { environmentOfTests } from "./stale.mjs";
import { runBatches } from "./test-processes.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Those that take longest come first. */
const all = [
  "commands",
  "containers",
  "image-steps",
  "faults",
  "cluster",
  "stopping",
  "losses",
  "partitions",
  "beginnings",
  "queues",
  "files",
  "restarts",
  "secured",
  "own-nats",
  "journey",
  "power",
  "compose",
  "delivery",
  "repeats",
];
/** What others of these try once, too: for runs that cause each fault many times. */
const long = ["own-faults"];
/** In milliseconds. */
const limits = { p50: 3_000, worst: 12_000 };

const options = {
  times: { type: "string" },
  results: { type: "string" },
  limits: { type: "boolean" },
  show: { type: "boolean" },
};
const { values, tokens } = parseArgs({ strict: false, allowPositionals: true, tokens: true, options });
const own = new Set(
  tokens.flatMap((token) => {
    if (token.kind !== "option" || !(token.name in options)) return [];
    const hasValue = options[token.name].type === "string" && !token.inlineValue;
    return hasValue ? [token.index, token.index + 1] : [token.index];
  }),
);
const rest = process.argv.slice(2).filter((_, at) => !own.has(at));
const named = rest.filter((word) => all.includes(word) || long.includes(word));
const more = rest.filter((word) => !named.includes(word));
const times = values.times ?? process.env.CONFAB_CLUSTER_KILLS ?? "1";
if (!(Number(times) > 0)) throw new Error("--times is a number above 0");

const folder = mkdtempSync(join(tmpdir(), "confab-outages-"));
const results = values.results ?? join(folder, "results");
const of = commit();
const lines = existsSync(results) ? readLines() : [];
const earlier = lines.find((one) => "commit" in one)?.commit ?? of;
if (earlier !== of && !values.show) {
  throw new Error(`${results} has the results of commit ${earlier}. Remove it, to begin again with ${of}.`);
}
if (lines.length === 0) writeFileSync(results, `${JSON.stringify({ commit: of })}\n`);
try {
  const status = values.show ? 0 : await run();
  const isWithin = print(readLines());
  process.exitCode = status || (values.limits && !isWithin ? 1 : 0);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function commit() {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}

function readLines() {
  return readFileSync(results, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Runs the files two at a time, since clusters mostly wait. */
async function run() {
  const files = (named.length > 0 ? named : Number(times) > 1 ? [...long, ...all] : all).map((name) => [
    `test/cluster/${name}.ts`,
  ]);
  const env = { ...environmentOfTests(), CONFAB_CLUSTER_KILLS: times, CONFAB_CLUSTER_RESULTS: results };
  // A pattern of -t may be for some of the files only.
  const args = ["--timeout", "180000", "--pass-with-no-tests", ...more];
  const { status, failed, hasRun } = await runBatches(files, 2, { args, env });
  for (const line of failed) console.log(`FAILED ${line}`);
  if (!hasRun) console.error("No test has this name.");
  return hasRun ? status : 1;
}

/** Prints a line for each kind of fault; returns whether the outages are short enough. */
function print(lines) {
  const ofKind = (kind) => (one) => [one.done, one.failed, one.outage].includes(kind);
  const kinds = [...new Set(lines.flatMap(({ done, failed, outage }) => done ?? failed ?? outage ?? []))];
  if (kinds.length === 0) return true;
  const rows = [...kinds.map((kind) => [kind, lines.filter(ofKind(kind))]), ["all", lines]];
  const width = Math.max(...kinds.map(({ length }) => length));
  console.log(
    `\n${"fault".padEnd(width)}  passed  failed  acknowledged  new queues  outage p50   worst   took`,
  );
  for (const [name, those] of rows) {
    const outages = those.filter((one) => "outage" in one);
    const done = those.filter((one) => "done" in one);
    const sum = (of, key) => of.reduce((total, one) => total + one[key], 0);
    const { p50, worst } = outagesOf(outages);
    const seconds = (ms) => (outages.length > 0 ? `${(ms / 1_000).toFixed(1)} s` : "");
    const figures = [
      String(done.length).padStart(6),
      String(those.filter((one) => "failed" in one).length).padStart(6),
      (outages.length > 0 ? String(sum(outages, "acknowledged")) : "").padStart(12),
      (outages.length > 0 ? String(sum(outages, "anew")) : "").padStart(10),
      seconds(p50).padStart(10),
      seconds(worst).padStart(6),
      `${Math.round(sum(done, "ms") / 1_000)} s`.padStart(6),
    ];
    console.log(`${name.padEnd(width)}  ${figures.join("  ")}`);
  }
  const restarted = lines.filter((one) => "restarted" in one).length;
  if (restarted > 0) console.log(`nats-servers started again because they stayed behind: ${restarted}`);
  const { p50, worst } = outagesOf(lines.filter((one) => "outage" in one));
  const isWithin = p50 <= limits.p50 && worst <= limits.worst;
  if (!isWithin)
    console.log(`Longer than allowed: p50 at most ${limits.p50} ms, and ${limits.worst} ms at worst.`);
  return isWithin;
}

function outagesOf(found) {
  const sorted = found.map(({ ms }) => ms).sort((a, b) => a - b);
  return { p50: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, worst: sorted.at(-1) ?? 0 };
}
