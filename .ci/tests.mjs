// Runs the test files of a tier: node .ci/tests.mjs all|quick|browser|replay|stalls|endurance [arguments for `bun test`] [files of the tier].
//
// node .ci/tests.mjs fast [nouns] [arguments]: the tests of how the house is built, and those of these nouns: the test files that have
// the noun in their path (`channels`: channel-settings.test.ts, places/channels/…), or, if there are none, that import from a folder
// of its name (@/places/channels/…). Plural and singular are one. What starts an executable, a browser or other programs is left out.
//
// node .ci/tests.mjs all|browser --record: writes to .ci/test-seconds.json how long each file took, by which the next runs divide the files
// among processes. Worth it on a quiet machine, after tests have become much slower or quicker.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { unpackedChromium } from "./chromium.mjs";
import { environmentOfTests } from "./stale.mjs";
import { runBatches } from "./test-processes.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tests = join(root, "test");
/** What starts an executable, a browser, a terminal or another program. */
const outside = ["executable.ts", "browser.ts", "tmux.ts"].map((name) => join(tests, "support", name));
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

/** These kill servers and commands again and again, fill topics and archives, or go through every earlier version: a tier of its own. */
const endurance = [
  "cli/many-people",
  "messaging/background-jobs",
  "operations/backup",
  "operations/backup-killed",
  "operations/crash",
  "operations/erasing-crash",
  "operations/files-s3",
  "operations/first-start",
  "operations/generated-client",
  "operations/import",
  "operations/import-archives",
  "operations/import-confab",
  "operations/import-invite",
  "operations/import-mattermost",
  "operations/import-slack",
  "operations/import-zulip",
  "operations/migrations",
].map((name) => join(tests, `${name}.test.ts`));

/** A day in the browser: to sign in the first time and again, to write, and to read what others write. The others are a tier of their own. */
const daily = ["web/first-day", "web/live", "web/sending", "web/signing-in"].map((name) =>
  join(tests, `${name}.test.ts`),
);
const browser = join(tests, "support", "browser.ts");
const isBrowsers = (file) => !measuring(file) && reached(file).has(browser) && !daily.includes(file);

/** How the house is built. */
const house = ["house", "layers"].map((name) => join(tests, "house", `${name}.test.ts`));

/** Tests in here measure: nothing else runs meanwhile, and they are a tier of their own. */
const measuring = (file) => relative(tests, file).startsWith(`stalls${sep}`);

/** What `--record` wrote. */
const table = join(root, ".ci", "test-seconds.json");
const seconds = JSON.parse(readFileSync(table, "utf8"));

/**
 * Front doors, and what measures, waits, is refused or starts executables: these write by the actions that other files run, and would
 * take a third of test:replay.
 */
const written = [
  "cli",
  "cluster",
  "console",
  "foundation/permission-matrix",
  "messaging/background-jobs",
  "operations/certificates",
  "operations/migrations",
  "outside/incoming-webhooks",
  "outside/webhook-senders",
  "server/arrival",
  "server/memory",
  "server/state",
  "server/timers",
];
const writesAsOthers = (file) => written.some((path) => file.startsWith(join(tests, path)));

/** The limit of a test; longer than what it waits for may take (test/support/waiting.ts), so that the test says what did not come. */
const limitMs = 180_000;

// Bun runs files one after another. Two processes for each core, because tests also wait: with fewer, cores are idle for a fifth of
// the time.
const processes = Math.min(8, 2 * availableParallelism());

/** `batches`: how many at most, where the tests take hardly longer than loading the code does. */
const tiers = {
  all: {
    holds: (file) =>
      !measuring(file) && (named.length > 0 || !(endurance.includes(file) || isBrowsers(file))),
    // Files that are named run by themselves, too: they may be those that failed while others ran.
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
      if (measuring(file) || writesAsOthers(file)) return false;
      const all = reached(file);
      return all.has("core") || (all.has("src") && !startsOthers(all));
    },
    // `.ci/run` has it use what other tiers leave of the processors, so its tests take several times as long.
    args: ["--preload", "./test/replay/preload.ts", "--timeout", String(4 * limitMs)],
  },
  fast: {
    holds: (file) =>
      house.includes(file) || (concerned.has(file) && !measuring(file) && !startsOthers(reached(file))),
    // A process in which no test has the name after -t fails.
    batches: process.argv.includes("-t") ? 1 : availableParallelism(),
    args: ["--timeout", String(limitMs)],
  },
  browser: { holds: isBrowsers, args: ["--timeout", String(limitMs)] },
  endurance: {
    holds: (file) => endurance.includes(file),
    batches: 2 * endurance.length,
    args: ["--timeout", String(limitMs)],
  },
  stalls: { holds: measuring, isAlone: () => true, args: ["--timeout", String(limitMs)] },
};

const [name = "", ...given] = process.argv.slice(2);
const named = given.filter((arg) => /\.test\.tsx?$/.test(arg));
const options = given.findIndex((arg) => arg.startsWith("-"));
const nouns = name === "fast" ? given.slice(0, options < 0 ? given.length : options) : [];
const records = given.includes("--record");
const more = given.slice(nouns.length).filter((arg) => !named.includes(arg) && arg !== "--record");
const tier = tiers[name];
if (!tier) {
  console.error(`There is no tier '${name}'; there are ${Object.keys(tiers).join(", ")}.`);
  process.exit(2);
}
const files = readdirSync(tests, { recursive: true })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => join(tests, file))
  .sort();
const absent = [...long, ...endurance, ...daily, ...house].filter((file) => !files.includes(file));
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
const needsExecutable = chosen.some((file) => reached(file).has(join(tests, "support", "executable.ts")));
const env = needsExecutable ? environmentOfTests() : process.env;

const needsBrowser = chosen.some((file) => reached(file).has(browser));
// Before two processes need it at once.
if (needsBrowser && !process.env.CONFAB_TEST_BROWSER) await unpackedChromium();

const isAlone = tier.isAlone?.() ?? false;
const batches = isAlone ? [chosen.map((file) => relative(root, file))] : batchesOf(chosen);
const args = [...tier.args, ...more];
const reports = records ? mkdtempSync(join(tmpdir(), "confab-tests-")) : null;
const { status, failed } = await runBatches(batches, processes, { args, env, reports });
if (reports) record(reports);
console.log([`${name}: ${minutes(performance.now())}`, ...failed.map((line) => `FAILED ${line}`)].join("\n"));
// Not process.exit(): what is still to be written to a pipe would be lost.
process.exitCode = status === 0 ? 0 : 1;

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

/** Whether one of these files starts executables, browsers or other programs. */
function startsOthers(files) {
  return outside.some((path) => files.has(path));
}

/** Seconds that each file took when that was recorded. A newer file: by its length; what starts programs takes about four times as long. */
function weigh(file) {
  const path = relative(root, file).replaceAll(sep, "/");
  return seconds[path] ?? (statSync(file).size / 10_000) * (startsOthers(reached(file)) ? 4 : 1);
}

/** Takes what Bun reported of each file into the table of seconds, and leaves out files that there are no more. */
function record(folder) {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, path, time] of text.matchAll(/<testsuite name="([^"]+)" file="\1"[^>]* time="([\d.]+)"/g))
      seconds[path] = Math.round(Number(time) * 10) / 10;
  }
  rmSync(folder, { recursive: true });
  const known = new Set(files.map((file) => relative(root, file).replaceAll(sep, "/")));
  const left = Object.entries(seconds).filter(([path]) => known.has(path));
  left.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(table, `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`);
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
