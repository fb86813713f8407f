// Builds dist/confab, the single executable. --if-stale leaves an up-to-date one alone; --target=bun-linux-arm64 builds
// for another platform, --out=FILE elsewhere.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { newerSource, sources, executable as usual } from "./stale.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = argument("--target");
const executable = argument("--out") ?? usual;

if (process.argv.includes("--if-stale") && newerSource(executable) === null) process.exit(0);

// Built aside and moved into place: a running server keeps its file, and source maps (the executable
// holds a copy) do not pile up.
const aside = join(root, "dist", `.build-${process.pid}`);
const fresh = join(aside, basename(executable));
const started = new Date();
mkdirSync(aside, { recursive: true });
const shared = [
  "--format=esm",
  "--splitting", // what is imported with import(), as the console, is loaded when it is used
  "--external=react-devtools-core", // Ink asks for it in development only
];
// Bun fixes NODE_ENV into the bundle; without this it would be "development".
const surroundings = {
  cwd: root,
  env: { ...process.env, NODE_ENV: "production" },
  stdio: ["ignore", "ignore", "inherit"],
};
const status = run([join(root, ".ci", "web.mjs"), "--if-stale"]) || gatherNotices() || compile();
if (status === 0) {
  utimesSync(fresh, started, started); // what was saved during the build is newer than it
  renameSync(fresh, executable);
}
rmSync(aside, { recursive: true });
process.exit(status);

/** Bundles once to learn whose work the executable will hold, and writes the notices that go into it. */
function gatherNotices() {
  const dist = join(root, "dist");
  const held = join(dist, "third-party.json");
  if (!existsSync(held)) writeFileSync(held, "{}");
  const metafile = join(aside, "meta.json");
  const bundle = [
    "--target=bun",
    ...shared,
    `--metafile=${metafile}`,
    `--outdir=${join(aside, "bundle")}`,
    "cli/main.ts",
  ];
  const bundled = run(["build", ...bundle]);
  if (bundled !== 0) return bundled;
  const [{ outputs }, client] = [metafile, join(dist, "web", "meta.json")].map((path) =>
    JSON.parse(readFileSync(path, "utf8")),
  );
  writeFileSync(metafile, JSON.stringify({ outputs: { ...outputs, ...client.outputs } }));
  const script = join(root, ".ci", "notices.mjs");
  return spawnSync(process.execPath, [script, metafile, dist], { stdio: "inherit" }).status ?? 1;
}

function compile() {
  return run([
    "build",
    "--compile",
    "--minify-syntax",
    "--minify-whitespace", // names stay: stack traces and logs show them
    "--sourcemap",
    "--bytecode", // start-up: 60 ms without, 15 ms with it
    ...shared,
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    ...(target ? [`--target=${target}`] : []),
    `--define=process.env.CONFAB_COMMIT=${JSON.stringify(commit())}`,
    `--outfile=${fresh}`,
    "cli/main.ts",
  ]);
}

function run(args) {
  return spawnSync(join(root, "node_modules", "bun", "bin", "bun.exe"), args, surroundings).status ?? 1;
}

function argument(option) {
  return process.argv.find((arg) => arg.startsWith(`${option}=`))?.slice(option.length + 1);
}

/** The commit that is built, with a plus where files differ from it; empty outside a repository. */
function commit() {
  const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" });
  const head = git("rev-parse", "--short=12", "HEAD");
  if (head.status !== 0) return "";
  return head.stdout.trim() + (git("status", "--porcelain", "--", ...sources).stdout === "" ? "" : "+");
}
