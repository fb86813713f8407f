// Runs the test files of a tier: node .ci/tests.mjs all|quick|replay|stalls [arguments for `bun test`] [files of the tier].
//
// node .ci/tests.mjs fast [nouns] [arguments]: the tests of how the house is built, and those of these nouns: the test files that have
// the noun in their path (`channels`: channel-settings.test.ts, places/channels/…), or, if there are none, that import from a folder
// of its name (@/places/channels/…). Plural and singular are one. What starts an executable, a browser or other programs is left out.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { unpackedChromium } from "./chromium.mjs";
import { environmentOfTests } from "./stale.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tests = join(root, "test");
const bun = join(root, "node_modules", "bun", "bin", "bun.exe");
/** What starts an executable, a browser, a terminal or a program beside the tests. */
const outside = ["executable.ts", "browser.ts", "tmux.ts", "certificate.ts"].map((name) =>
  join(tests, "support", name),
);
/** These take longest, by all that they try out or measure: test:quick would take three times its minute with them. */
const long = [
  "console/console",
  "console/nodes",
  "foundation/address-changes",
  "foundation/address-proofs",
  "foundation/auth",
  "foundation/avatars",
  "foundation/emoji",
  "foundation/emoji-names",
  "foundation/groups",
  "foundation/keys",
  "foundation/lockout",
  "foundation/own-account",
  "foundation/permission-matrix",
  "foundation/proofs",
  "foundation/realm-settings",
  "foundation/sessions",
  "foundation/two-step",
  "foundation/user-settings",
  "house/check",
  "kernel/fast-path",
  "messaging/flags",
  "messaging/indexing",
  "messaging/cached-messages",
  "messaging/messages-edit",
  "messaging/messages-history",
  "messaging/messages-move",
  "messaging/messages-send",
  "messaging/narrow",
  "messaging/read-state",
  "messaging/reading-messages",
  "messaging/search",
  "messaging/uploads",
  "operations/realm-exports",
  "outside/bots",
  "outside/incoming-webhooks",
  "outside/join",
  "outside/missed-messages",
  "outside/single-sign-on",
  "outside/web-push",
  "outside/webhooks",
  "personal/presence-nodes",
  "personal/scheduled-messages",
  "places/subscriptions",
  "server/client-view",
  "server/limits",
  "server/random-requests",
  "server/transport",
  "text/rendering-hostile",
].map((name) => join(tests, `${name}.test.ts`));

/** How the house is built. */
const house = ["house", "layers"].map((name) => join(tests, "house", `${name}.test.ts`));

/** Tests in here measure: nothing runs beside them, and they are a tier of their own. */
const measuring = (file) => relative(tests, file).startsWith(`stalls${sep}`);

/** The limit of a test; longer than what it waits for may take (test/support/waiting.ts), so that the test says what did not come. */
const limitMs = 180_000;

// Bun runs files one after another. Two processes for each core, because tests also wait: with fewer, cores are idle for a fifth of
// the time.
const processes = Math.min(8, 2 * availableParallelism());

/** `batches`: how many at most, where the tests take hardly longer than loading the code does. */
const tiers = {
  all: {
    holds: (file) => !measuring(file),
    // Files that are named run by themselves, too: they may be those that failed beside others.
    isAlone: () => named.length > 0,
    args: ["--timeout", String(limitMs)],
  },
  quick: {
    holds: (file) => !measuring(file) && !startsOthers(reached(file)) && !long.includes(file),
    batches: 2 * processes,
    args: ["--timeout", String(limitMs)],
  },
  // Writes of another process are not seen here: files that only start executables have nothing to run again.
  replay: {
    holds: (file) => {
      if (measuring(file)) return false;
      const all = reached(file);
      return all.has("core") || (all.has("src") && !startsOthers(all));
    },
    args: ["--preload", "./test/replay/preload.ts", "--timeout", String(limitMs)],
  },
  fast: {
    holds: (file) =>
      house.includes(file) || (concerned.has(file) && !measuring(file) && !startsOthers(reached(file))),
    // A process in which no test has the name after -t fails.
    batches: process.argv.includes("-t") ? 1 : availableParallelism(),
    args: ["--timeout", String(limitMs)],
  },
  stalls: { holds: measuring, isAlone: () => true, args: ["--timeout", String(limitMs)] },
};

const [name = "", ...args] = process.argv.slice(2);
const named = args.filter((arg) => /\.test\.tsx?$/.test(arg));
const options = args.findIndex((arg) => arg.startsWith("-"));
const nouns = name === "fast" ? args.slice(0, options < 0 ? args.length : options) : [];
const more = args.slice(nouns.length).filter((arg) => !named.includes(arg));
const tier = tiers[name];
if (!tier) {
  console.error(`There is no tier '${name}'; there are ${Object.keys(tiers).join(", ")}.`);
  process.exit(2);
}
const files = readdirSync(tests, { recursive: true })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => join(tests, file))
  .sort();
const absent = [...long, ...house].filter((file) => !files.includes(file));
if (absent.length > 0) throw new Error(`.ci/tests.mjs names files that do not exist: ${absent.join(", ")}`);
refuseUnknownNouns();
const concerned = new Set(nouns.flatMap(filesOf));
const chosen = files
  .filter(tier.holds)
  .filter((file) => named.length === 0 || named.includes(relative(root, file)));
if (chosen.length === 0) throw new Error("No test file was found.");
console.error(`${name}: ${chosen.length} of ${files.length} test files`);
const left = name === "fast" ? [...concerned].filter((file) => !chosen.includes(file)) : [];
if (left.length > 0) {
  const paths = left.map((file) => relative(root, file)).join(" ");
  console.error(`Left out, since they start programs or measure: ${paths}`);
}
const environment = environmentFor(chosen);

const needsBrowser = chosen.some((file) => reached(file).has(join(tests, "support", "browser.ts")));
// Before two processes need it at once.
if (needsBrowser && !process.env.CONFAB_TEST_BROWSER) await unpackedChromium();

/** What failed, for the last lines. */
const failed = [];
const isAlone = tier.isAlone ?? (() => false);
const batches = batchesOf(chosen.filter((file) => !isAlone(file)));
const statuses = await Promise.all(
  Array.from({ length: processes }, async () => {
    let worst = 0;
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      worst = Math.max(worst, await run(batch));
    }
    return worst;
  }),
);
const alone = chosen.filter(isAlone).map((file) => relative(root, file));
if (alone.length > 0) statuses.push(await run(alone));
console.log([`${name}: ${minutes(performance.now())}`, ...failed.map((line) => `FAILED ${line}`)].join("\n"));
// Not process.exit(): what is still to be written to a pipe would be lost.
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;

function filesOf(noun) {
  const isIn = (path) => `/${singular(path)}/`.includes(`/${singular(noun)}/`);
  const own = files.filter((file) => isIn(relative(tests, file).replace(/\.test\.tsx?$/, "")));
  return own.length > 0 ? own : files.filter((file) => importedFolders(file).some(isIn));
}

function importedFolders(file) {
  const imports = readFileSync(file, "utf8").matchAll(/ from "@[a-z]*\/([^"]+)\/[^"/]+";/g);
  return [...imports].map(([, folder]) => folder);
}

/** The words of a path in the singular: "places/channels" and "place/channel". */
function singular(path) {
  const words = path.replaceAll(sep, "/").split(/[-/]/);
  return words.map((word) => word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "")).join("/");
}

function refuseUnknownNouns() {
  const unknown = nouns.filter((noun) => filesOf(noun).length === 0);
  if (unknown.length === 0) return;
  const storeys = readdirSync(join(root, "src"), { withFileTypes: true }).filter((one) => one.isDirectory());
  const folders = storeys.flatMap((storey) =>
    readdirSync(join(root, "src", storey.name), { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map((one) => one.name),
  );
  const known = [...new Set(folders)].filter((folder) => filesOf(folder).length > 0);
  console.error(
    `No test concerns '${unknown.join("', '")}'. There are, besides words of test files' names: ${known.sort().join(", ")}.`,
  );
  process.exit(2);
}

/** All test processes start one and the same executable; a stale one is refused at once. */
function environmentFor(files) {
  if (!files.some((file) => reached(file).has(join(tests, "support", "executable.ts")))) return process.env;
  try {
    return environmentOfTests();
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}

/** Whether one of these files starts executables, browsers or other programs. */
function startsOthers(files) {
  return outside.some((path) => files.has(path));
}

/** A file's share of the time, by its length: with an executable or a browser, tests take about four times as long. */
function weigh(file) {
  return statSync(file).size * (startsOthers(reached(file)) ? 4 : 1);
}

/**
 * Files for one process at a time: the longest first, and ever fewer, so that the processes end together; not one by one, because
 * each process loads the code once.
 */
function batchesOf(files) {
  const weighed = files.map((file) => ({ file: relative(root, file), weight: weigh(file) }));
  weighed.sort((a, b) => b.weight - a.weight);
  let left = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const smallest = left / (tier.batches ?? 60);
  const made = [];
  while (weighed.length > 0) {
    const share = Math.max(smallest, left / (3 * processes));
    const batch = [];
    for (let held = 0; weighed.length > 0 && held < share; ) {
      const { file, weight } = weighed.shift();
      batch.push(file);
      held += weight;
      left -= weight;
    }
    made.push(batch);
  }
  return made;
}

function minutes(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Prints what Bun says once it has ended, so that the output of two does not mix. */
function run(batch) {
  // As paths: Bun runs them in this order. Names alone are patterns, run in the file system's order, so that a file whose
  // tests depend on what ran before it would fail on some machines.
  const paths = batch.map((file) => `./${file}`);
  return new Promise((resolve) => {
    const child = spawn(bun, ["test", ...tier.args, ...more, ...paths], {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("close", (status, signal) => {
      const text = Buffer.concat(output).toString();
      process.stdout.write(text);
      failed.push(...failures(text));
      // Bun crashed: as in its own lists, so that .ci/run counts it.
      if (signal) {
        const file = lastFile(text) ?? batch[0];
        console.log(`\n${file}:\n(fail) Bun ended by ${signal}\n 1 fail\n`);
        failed.push(`${file}: Bun ended by ${signal}; ${batch.join(", ")} did not all run`);
      }
      resolve(signal ? 1 : status);
    });
  });
}

/** A line for each failure that Bun printed, with its file. */
function failures(text) {
  let file = "";
  return text.split("\n").flatMap((coloured) => {
    const line = stripVTControlCharacters(coloured);
    if (isFileLine(line)) file = line.slice(0, -1);
    if (/^\d+ tests? failed:$/.test(line)) file = "";
    return file && /^(\(fail\) |# Unhandled error between tests)/.test(line) ? [`${file}: ${line}`] : [];
  });
}

/** The file that Bun was in when it ended. */
function lastFile(text) {
  return text.split("\n").map(stripVTControlCharacters).findLast(isFileLine)?.slice(0, -1);
}

function isFileLine(line) {
  return /^test\/\S*\.tsx?:$/.test(line);
}

/** The files of test/ that a test file imports, itself or by others; "src" where one of them imports the code, "core" where it opens it. */
function reached(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, typeOnly, to] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export)( type)? [^;]*?from "([^"]+)";/gms,
  )) {
    if (typeOnly) continue;
    if (to === "@/app.ts") found.add("core");
    const path = join(dirname(file), to);
    if (/^@(cli|console)?\//.test(to)) found.add("src");
    else if (!to.startsWith(".") || !/\.tsx?$/.test(to)) continue;
    else if (path.startsWith(tests + sep)) reached(path, found);
    else found.add("src");
  }
  return found;
}
