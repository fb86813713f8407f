// What .ci/tests.mjs runs, and that no test runs with an executable older than the sources.
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolders } from "../support/folder.ts";

const folder = temporaryFolders();
const root = join(import.meta.dir, "..", "..");

/** A checkout with these files of ours, in which a source changed at noon. */
function checkout(...files: string[]) {
  const place = folder();
  for (const file of files) {
    mkdirSync(join(place, file, ".."), { recursive: true });
    copyFileSync(join(root, file), join(place, file));
  }
  mkdirSync(join(place, "src"));
  writeFileSync(join(place, "src", "one.ts"), "");
  const noon = new Date("2100-01-02T12:00:00Z");
  for (const path of ["src/one.ts", "src"]) utimesSync(join(place, path), noon, noon);
  return place;
}

function build(place: string, at: string) {
  mkdirSync(join(place, "dist"), { recursive: true });
  const file = join(place, "dist", "confab");
  writeFileSync(file, "");
  const time = new Date(`2100-01-02T${at}:00Z`);
  utimesSync(file, time, time);
  return file;
}

function run(place: string, args: readonly string[], env: Record<string, string> = {}) {
  const { CONFAB_TEST_BINARY: _, ...others } = process.env;
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], {
    cwd: place,
    env: { ...others, ...env },
  });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

describe("tests that start the executable", () => {
  const support = ["executable", "ports", "waiting"].map((name) => `test/support/${name}.ts`);
  const asked = ["-e", 'console.log((await import("./test/support/executable.ts")).executable.join(" "))'];
  const started = (place: string, env?: Record<string, string>) => run(place, asked, env);

  test("start it if it is newer than all sources, and the sources if there is none", () => {
    const place = checkout(".ci/stale.mjs", ...support);
    expect(started(place).stdout).toContain(join("cli", "main.ts"));
    const file = build(place, "12:01");
    expect(started(place)).toMatchObject({ exitCode: 0, stdout: `${file}\n` });
  });

  test("refuse one that is older than a source, and say which source and what to do", () => {
    const place = checkout(".ci/stale.mjs", ...support);
    build(place, "11:59");
    const { exitCode, stderr } = started(place);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(
      "dist/confab is older than src/one.ts. Run `npm run build`, or remove it: then tests start the sources.",
    );
    expect(started(place, { CONFAB_TEST_BINARY: "/elsewhere/confab" }).stdout).toBe("/elsewhere/confab\n");
  });

  test("refuse one that was built before a file was removed", () => {
    const place = checkout(".ci/stale.mjs", ...support);
    build(place, "12:01");
    const later = new Date("2100-01-02T12:02:00Z");
    utimesSync(join(place, "src"), later, later);
    expect(started(place).stderr).toContain("dist/confab is older than src.");
  });
});

describe(".ci/tests.mjs", () => {
  /**
   * Our tests, and in place of Bun what prints its arguments and the executable that tests are to start, and reports that each file took
   * 2.54 seconds.
   */
  function tiers() {
    const scripts = ["tests.mjs", "test-processes.mjs", "test-seconds.json", "chromium.mjs", "stale.mjs"];
    const place = checkout(...scripts.map((name) => `.ci/${name}`));
    symlinkSync(join(root, "test"), join(place, "test"));
    const bun = join(place, "node_modules", "bun", "bin", "bun.exe");
    mkdirSync(join(bun, ".."), { recursive: true });
    writeFileSync(
      bun,
      `#!/bin/sh
echo "started $CONFAB_TEST_BINARY"
for each; do
  echo "argument $each"
  case $each in
    --reporter-outfile=*) report=\${each#*=};;
    ./test/*) file=\${each#./}
      if [ "$report" ]; then echo "<testsuite name=\\"$file\\" file=\\"$file\\" tests=\\"1\\" time=\\"2.54\\">" >> "$report"; fi;;
  esac
done
`,
    );
    chmodSync(bun, 0o755);
    const chosen = (...args: string[]) => {
      const env = { CONFAB_TEST_BROWSER: "/no/browser" };
      const { exitCode, stdout, stderr } = run(place, [".ci/tests.mjs", ...args], env);
      const given = [...stdout.matchAll(/^argument (.*)$/gm)].map(([, word = ""]) => word);
      const files = given.filter((word) => word.startsWith("./test/"));
      const others = given.filter((word) => !files.includes(word));
      return { exitCode, stdout, stderr, files, others };
    };
    return { place, chosen };
  }

  const house = (file: string) => /\/(house|layers)\.test\.ts$/.test(file);

  test("fast runs the tests that have the noun in their path, in singular and plural, and those of the house", () => {
    const { chosen } = tiers();
    const { exitCode, files } = chosen("fast", "channels");
    expect(exitCode).toBe(0);
    expect(files.filter(house)).toHaveLength(2);
    expect(files.filter((file) => !house(file) && !/[/-]channels?[/.-]/.test(file))).toEqual([]);
    expect(files.length).toBeGreaterThan(6);
    expect(chosen("fast", "channel").files.toSorted()).toEqual(files.toSorted());
    const both = chosen("fast", "channels", "drafts").files;
    expect(both).toEqual(expect.arrayContaining(files));
    expect(both.filter((file) => !files.includes(file)).every((file) => file.includes("draft"))).toBe(true);
  });

  test("fast runs the tests that import a folder where none has its name", () => {
    const { files } = tiers().chosen("fast", "invalidation");
    expect(files.filter((file) => !house(file)).length).toBeGreaterThan(0);
  });

  test("fast leaves out and names what starts programs, and passes arguments on", () => {
    const { files, stderr, others } = tiers().chosen("fast", "drafts", "-t", "refuses");
    expect(files.some((file) => /browser|web-ui|web\//.test(file))).toBe(false);
    expect(stderr).toMatch(/Left out, since they start programs or measure: .*drafts\S*\.test\.ts/);
    expect(others.join(" ")).toContain("-t refuses");
  });

  test("fast without a noun runs those of the house only", () => {
    expect(tiers().chosen("fast").files.every(house)).toBe(true);
  });

  test("fast refuses a noun that no test has, and says which there are", () => {
    const { exitCode, stderr, files } = tiers().chosen("fast", "channels", "nonsense");
    expect({ exitCode, files }).toEqual({ exitCode: 2, files: [] });
    expect(stderr).toContain("No test concerns 'nonsense'.");
  });

  test("gives all processes one executable, and refuses a stale one before anything runs", () => {
    const { place, chosen } = tiers();
    build(place, "11:59");
    const refused = chosen("all");
    expect({ exitCode: refused.exitCode, files: refused.files }).toEqual({ exitCode: 2, files: [] });
    expect(refused.stderr).toContain("dist/confab is older than src/one.ts.");
    expect(chosen("fast", "drafts").exitCode).toBe(0);
    const file = build(place, "12:01");
    const { exitCode, stdout, files } = chosen("all");
    expect(exitCode).toBe(0);
    expect(files.length).toBeGreaterThan(200);
    expect(new Set(stdout.match(/^started .*$/gm))).toEqual(new Set([`started ${file}`]));
  });

  test("begins with the files that took longest, and records anew how long each takes, without files that are gone", () => {
    const { place, chosen } = tiers();
    const table = join(place, ".ci", "test-seconds.json");
    const slow = "test/personal/drafts.test.ts";
    writeFileSync(table, JSON.stringify({ "test/gone.test.ts": 7, [slow]: 9_000 }));
    const { files, others } = chosen("quick");
    expect([files[0], others.filter((word) => word.includes("report"))]).toEqual([`./${slow}`, []]);
    expect(JSON.parse(readFileSync(table, "utf8"))).toHaveProperty([slow], 9_000);
    const recorded = chosen("quick", "--record");
    expect([recorded.exitCode, recorded.others.includes("--record")]).toEqual([0, false]);
    const expected = recorded.files.map((file) => [file.slice("./".length), 2.5]);
    expect(JSON.parse(readFileSync(table, "utf8"))).toEqual(Object.fromEntries(expected));
  });
});
