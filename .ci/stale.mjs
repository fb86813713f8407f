// Whether dist/confab is older than its sources: for .ci/build.mjs --if-stale, and for the tests, which refuse such a one.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export const executable = join(root, "dist", process.platform === "win32" ? "confab.exe" : "confab");

/** Everything that dist/confab is built from. */
export const sources = [
  "src",
  "cli",
  "console",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  ".ci/build.mjs",
  ".ci/web.mjs",
  ".ci/notices.mjs",
  ".ci/notices",
];

/** The source that changed last, if that was after this file was built; null if it was before. A missing file is older than all. */
export function newerSource(file) {
  const built = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const [newest] = sources.map((path) => newestOf(join(root, path))).sort((a, b) => b.at - a.at);
  return newest.at < built ? null : relative(root, newest.path);
}

/** What tests start: the executable, or null (the sources) if there is none. Throws if it is stale: tests would tell of older sources. */
export function executableForTests() {
  if (process.env.CONFAB_TEST_BINARY) return process.env.CONFAB_TEST_BINARY;
  if (!existsSync(executable)) return null;
  const newer = newerSource(executable);
  if (newer === null) return executable;
  throw new Error(
    `${relative(root, executable)} is older than ${newer}. Run \`npm run build\`, or remove it: then tests start the sources.`,
  );
}

/**
 * For what runs many test processes: what was fresh at their beginning stays so, although somebody edits sources meanwhile. Ends this
 * process if the executable is stale.
 */
export function environmentOfTests() {
  try {
    const found = executableForTests();
    return found ? { ...process.env, CONFAB_TEST_BINARY: found } : process.env;
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}

/** What changed last at or under a path; files rather than the folder, whose time changes with them. */
function newestOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  const found = { path, at: stat?.mtimeMs ?? 0 };
  if (!stat?.isDirectory()) return found;
  const within = readdirSync(path).map((name) => newestOf(join(path, name)));
  return within.reduce((newest, one) => (one.at >= newest.at ? one : newest), found);
}
