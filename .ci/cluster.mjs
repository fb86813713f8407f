// `npm run test:cluster`: runs test/cluster, with arguments for `bun test` and names of its files: `-- --times 20 partitions`
// makes each fault of partitions.ts twenty times. --limits fails where the outages are longer than they may be.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const bun = join(root, "node_modules", "bun", "bin", "bun.exe");
const all = [
  "cluster",
  "commands",
  "compose",
  "delivery",
  "faults",
  "partitions",
  "power",
  "queues",
  "secured",
];
/** In milliseconds. */
const limits = { p50: 3_000, worst: 12_000 };

const { values, tokens } = parseArgs({
  strict: false,
  allowPositionals: true,
  tokens: true,
  options: { times: { type: "string" }, limits: { type: "boolean" } },
});
const own = new Set(
  tokens.flatMap((token) => {
    if (token.kind !== "option" || !["times", "limits"].includes(token.name)) return [];
    return token.name === "times" && !token.inlineValue ? [token.index, token.index + 1] : [token.index];
  }),
);
const rest = process.argv.slice(2).filter((_, at) => !own.has(at));
const named = rest.filter((word) => all.includes(word));
const more = rest.filter((word) => !named.includes(word));
const times = values.times ?? process.env.CONFAB_CLUSTER_KILLS ?? "1";
if (!(Number(times) > 0)) throw new Error("--times is a number above 0");

const folder = mkdtempSync(join(tmpdir(), "confab-outages-"));
const report = join(folder, "outages");
writeFileSync(report, "");
try {
  const status = await run();
  const found = readFileSync(report, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const isWithin = found.length === 0 || print(found);
  process.exitCode = status || (values.limits && !isWithin ? 1 : 0);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run() {
  const files = (named.length > 0 ? named : all).map((name) => `./test/cluster/${name}.ts`);
  const env = { ...process.env, CONFAB_CLUSTER_KILLS: times, CONFAB_CLUSTER_REPORT: report };
  const child = spawn(bun, ["test", "--timeout", "60000", ...more, ...files], {
    cwd: root,
    stdio: "inherit",
    env,
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)));
}

/** Prints a line for each kind of fault; returns whether the outages are short enough. */
function print(found) {
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const rows = [...kinds.map((kind) => [kind, found.filter((one) => one.kind === kind)]), ["all", found]];
  const width = Math.max(...kinds.map(({ length }) => length));
  console.log(`\n${"fault".padEnd(width)}  times  acknowledged  new queues  outage p50  worst`);
  for (const [name, those] of rows) {
    const { p50, worst } = outagesOf(those);
    const sum = (key) => those.reduce((total, one) => total + one[key], 0);
    const figures = [
      String(those.length).padStart(5),
      String(sum("acknowledged")).padStart(12),
      String(sum("anew")).padStart(10),
      `${(p50 / 1_000).toFixed(1)} s`.padStart(10),
      `${(worst / 1_000).toFixed(1)} s`.padStart(6),
    ];
    console.log(`${name.padEnd(width)}  ${figures.join("  ")}`);
  }
  const { p50, worst } = outagesOf(found);
  const isWithin = p50 <= limits.p50 && worst <= limits.worst;
  if (!isWithin)
    console.log(`Longer than allowed: p50 at most ${limits.p50} ms, and ${limits.worst} ms at worst.`);
  return isWithin;
}

function outagesOf(found) {
  const sorted = found.map(({ outage }) => outage).sort((a, b) => a - b);
  return { p50: sorted[Math.floor((sorted.length - 1) / 2)], worst: sorted.at(-1) };
}
