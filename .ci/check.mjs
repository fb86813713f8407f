// `npm run check`: types and style, side by side. Each prints once it has ended, and looks only at what has changed since it passed:
// tsc by its own build information, Biome by hashes of the files that it found clean. Both are in dist/check; remove it to check all.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const memory = join(root, "dist", "check");
const biome = ["biome", "check", "--error-on-warnings", "--colors=force"];

// The largest project by itself, the others one after another: they end at about the same time on two cores.
const lanes = [
  [types("tsconfig.json", "all")],
  [types("src/web/tsconfig.json", "web"), types("test/web/tsconfig.json", "web-tests"), style],
];
mkdirSync(memory, { recursive: true });
const statuses = await Promise.all(lanes.map(runAll));
process.exitCode = Math.max(...statuses.flat());

/** One checker, because several check the types that they share several times: half the CPU time. */
function types(project, name) {
  const known = join(memory, `${name}.tsbuildinfo`);
  return () =>
    run(["tsc", "-p", project, "--checkers", "1", "--incremental", "--tsBuildInfoFile", known, "--pretty"]);
}

/** Biome judges each file by itself and has no cache of its own. Files count as clean only if they did not change meanwhile. */
async function style() {
  const before = hashes();
  const clean = readClean(before);
  const changed = before && clean && [...before.keys()].filter((path) => clean[path] !== before.get(path));
  if (changed?.length === 0) return 0;
  const few = changed && changed.length < 300;
  const status = await run(
    few ? [...biome, "--no-errors-on-unmatched", "--files-ignore-unknown=true", ...changed] : biome,
  );
  if (status === 0 && before) {
    const after = hashes();
    const files = Object.fromEntries([...before].filter(([path, hash]) => after?.get(path) === hash));
    writeFileSync(join(memory, "clean-files.json"), JSON.stringify({ rules: rulesOf(before), files }));
  }
  return status;
}

/** The files found clean under the same rules, with their hashes; null if there are none. */
function readClean(now) {
  try {
    const { rules, files } = JSON.parse(readFileSync(join(memory, "clean-files.json"), "utf8"));
    return now && rules === rulesOf(now) ? files : null;
  } catch {
    return null;
  }
}

/** What decides how files are judged: Biome's version, all its settings, and what it reads of packages; this file, too. */
function rulesOf(files) {
  const { version } = JSON.parse(
    readFileSync(join(root, "node_modules", "@biomejs", "biome", "package.json"), "utf8"),
  );
  const decides = /^(\.?biome\.jsonc?|package\.json|tsconfig.*\.json|\.editorconfig|\.gitignore|check\.mjs)$/;
  return JSON.stringify([version, ...[...files].filter(([path]) => decides.test(basename(path)))]);
}

/** Hashes of all files by path, but what git ignores; null outside a repository. */
function hashes() {
  const git = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (git.status !== 0) return null;
  return new Map(git.stdout.split("\0").flatMap((path) => hashed(path)));
}

function hashed(path) {
  try {
    return [
      [
        path,
        createHash("sha1")
          .update(readFileSync(join(root, path)))
          .digest("base64"),
      ],
    ];
  } catch {
    return []; // deleted, or a link to a folder
  }
}

async function runAll(steps) {
  const statuses = [];
  for (const step of steps) statuses.push(await step());
  return statuses;
}

function run([command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(join(root, "node_modules", ".bin", command), args, { cwd: root });
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("close", (status) => {
      process.stdout.write(Buffer.concat(output));
      resolve(status ?? 1);
    });
  });
}
