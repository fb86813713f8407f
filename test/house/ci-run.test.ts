// `.ci/run` adds up the counts of the test runners, and fails if any of them failed.
import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolders } from "../support/folder.ts";

const folder = temporaryFolders();
const root = join(import.meta.dir, "..", "..");

interface Outcome {
  says?: string;
  status?: number;
}

/** Runs it with a fake `npm` that prints the given output and exits with the given status for each call of a command. */
function run(commands: Record<string, Outcome[]>) {
  const place = folder();
  mkdirSync(join(place, ".ci"));
  mkdirSync(join(place, "bin"));
  cpSync(join(root, ".ci", "run"), join(place, ".ci", "run"));
  for (const [name, outcomes] of Object.entries(commands))
    for (const [i, { says = "", status = 0 }] of outcomes.entries())
      writeFileSync(join(place, "bin", `${name}.${i}`), `printf '${says}'; exit ${status}\n`);
  const npm = join(place, "bin", "npm");
  writeFileSync(
    npm,
    `#!/bin/sh
     echo "$*" >> "${place}/calls"
     for arg in "$@"; do case $arg in test|test:*) name=$arg; break;; esac; done
     nth=$(cat "${place}/$name" 2>/dev/null || echo 0); echo $((nth + 1)) > "${place}/$name"
     [ -e "${place}/bin/$name.$nth" ] && . "${place}/bin/$name.$nth"
     exit 0
`,
  );
  chmodSync(npm, 0o755);
  const { exitCode, stdout } = Bun.spawnSync(["bash", join(place, ".ci", "run")], {
    env: { ...process.env, PATH: `${join(place, "bin")}:${process.env.PATH}` },
  });
  return {
    exitCode,
    lines: stdout.toString().trimEnd().split("\n"),
    calls: readFileSync(join(place, "calls"), "utf8").trim().split("\n"),
  };
}

const failing = String.raw`
bun test v1\n
test/a.test.ts:\n(pass) one\n(pass) two\n(fail) three\n
test/b.test.ts:\n(pass) four\n
1 tests failed:\n(fail) three\n
\n 3 pass\n 1 fail\n`.replaceAll(/\n(?!$)/g, "");

describe(".ci/run", () => {
  test("adds up the counts of all runners, with or without colours, and lists skipped tests", () => {
    const { exitCode, lines } = run({
      test: [{ says: String.raw` 12 pass\n 0 fail\n` }],
      "test:replay": [{ says: String.raw`\033[32m 30 pass\033[0m\n 0 fail\n 4 pass\n 0 fail\n` }],
      "test:power": [{ says: String.raw`LEFT OUT: no strace\n 1 pass\n 2 skip\n 0 fail\n` }],
    });
    expect(exitCode).toBe(0);
    expect(lines.slice(-2)).toEqual(["LEFT OUT: no strace", "47 passed, 0 failed"]);
  });

  test("runs each tier once, whatever fails, and names the failures at the end", () => {
    const { exitCode, lines, calls } = run({
      test: [{ says: failing, status: 1 }, { says: String.raw` 4 pass\n 0 fail\n` }],
      "test:power": [{ says: String.raw` 1 pass\n 0 fail\n` }],
    });
    expect(exitCode).toBe(1);
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls).toContain("run --silent test:replay");
    expect(calls.join(" ")).not.toMatch(/retry|rerun/);
    expect(lines.slice(-3)).toEqual([
      "FAILED npm test",
      "FAILED test/a.test.ts: (fail) three",
      "4 passed, 1 failed",
    ]);
  });

  test("counts a tier that ended before it printed counts as one failure", () => {
    const { exitCode, lines, calls } = run({
      test: [{ status: 2 }, { says: String.raw` 9 pass\n` }],
      "test:power": [{ says: String.raw` 2 pass\n 0 fail\n` }],
    });
    expect(exitCode).toBe(1);
    expect(calls.filter((call) => call === "test")).toHaveLength(1);
    expect(lines.slice(-2)).toEqual(["FAILED npm test", "2 passed, 1 failed"]);
  });

  test("waits for the tiers that run next to others, prints what they said, and counts their failures", () => {
    const { exitCode, lines } = run({
      "test:cluster": [{ says: String.raw` 5 pass\n 0 fail\n` }],
      "test:replay": [{ says: failing.replace("bun test", "replay: bun test"), status: 1 }],
      "test:acme": [{ says: String.raw` 1 pass\n 0 fail\n` }],
    });
    expect(exitCode).toBe(1);
    expect(lines).toContain("replay: bun test v1");
    expect(lines.slice(-3)).toEqual([
      "FAILED npm run --silent test:replay",
      "FAILED test/a.test.ts: (fail) three",
      "9 passed, 1 failed",
    ]);
  });
});

test("no command tries a test a second time", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const settings = ["bunfig.toml", ".ci/run", ".ci/tests.mjs", ".ci/cluster.mjs"];
  const texts = settings.map((file) => readFileSync(join(root, file), "utf8"));
  expect([...Object.values<string>(scripts), ...texts].filter((text) => /\bretry\b/.test(text))).toEqual([]);
});
