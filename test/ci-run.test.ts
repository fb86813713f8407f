// `.ci/run` adds up the counts of the test runners, and fails if any of them failed.
import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolders } from "./support/folder.ts";

const folder = temporaryFolders();

interface Outcome {
  says?: string;
  status?: number;
}

/** Runs it with a fake `npm` that prints the given output and exits with the given status for each call of a command. */
function run(commands: Record<string, Outcome[]>) {
  const place = folder();
  mkdirSync(join(place, ".ci"));
  mkdirSync(join(place, "bin"));
  cpSync(join(import.meta.dir, "..", ".ci", "run"), join(place, ".ci", "run"));
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

  test("runs failed files once more, each alone, and says so", () => {
    const again = String.raw`bun test v1\ntest/a.test.ts:\n(pass) one\n\n 3 pass\n 0 fail\n`;
    const { exitCode, lines, calls } = run({
      test: [{ says: failing, status: 1 }, { says: again }],
      "test:arm64": [{ says: String.raw` 1 pass\n` }],
    });
    expect(exitCode).toBe(0);
    expect(calls.slice(0, 2)).toEqual(["test -- --retry=1", "test -- --retry=1 test/a.test.ts"]);
    expect(lines.slice(-2)).toEqual(["TRIED AGAIN test/a.test.ts: (fail) three", "5 passed, 0 failed"]);
  });

  test("fails if a test fails twice, runs the other tiers, and names it at the end", () => {
    const { exitCode, lines } = run({
      test: [
        { says: failing, status: 1 },
        { says: failing, status: 1 },
      ],
      "test:power": [{ says: String.raw` 1 pass\n 0 fail\n` }],
    });
    expect(exitCode).toBe(1);
    expect(lines.slice(-4)).toEqual([
      "TRIED AGAIN test/a.test.ts: (fail) three",
      "FAILED npm test -- --retry=1",
      "FAILED test/a.test.ts: (fail) three",
      "5 passed, 1 failed",
    ]);
  });

  test("runs a tier again that ended before it printed counts, and counts a second such end as one failure", () => {
    const { exitCode, lines, calls } = run({
      test: [{ status: 2 }, { status: 2 }],
      "test:power": [{ status: 1 }, { says: String.raw` 2 pass\n 0 fail\n` }],
    });
    expect(exitCode).toBe(1);
    expect(calls.slice(0, 2)).toEqual(["test -- --retry=1", "test -- --retry=1"]);
    expect(lines.slice(-2)).toEqual(["FAILED npm test -- --retry=1", "2 passed, 1 failed"]);
  });
});
