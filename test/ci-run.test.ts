// `.ci/run` adds up what the runners counted, and fails where anything did.
import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolders } from "./support/folder.ts";

const folder = temporaryFolders();

/** Runs it with a fake `npm` that prints this output and exits with this status for each command. */
function run(commands: Record<string, { says?: string; status?: number }>) {
  const place = folder();
  mkdirSync(join(place, ".ci"));
  mkdirSync(join(place, "bin"));
  cpSync(join(import.meta.dir, "..", ".ci", "run"), join(place, ".ci", "run"));
  const cases = Object.entries(commands).map(
    ([name, { says = "", status = 0 }]) => `*${name}) printf '${says}'; exit ${status};;`,
  );
  writeFileSync(join(place, "bin", "npm"), `#!/bin/sh\ncase "\${*%% -- *}" in ${cases.join(" ")} esac\n`);
  chmodSync(join(place, "bin", "npm"), 0o755);
  const { exitCode, stdout } = Bun.spawnSync(["bash", join(place, ".ci", "run")], {
    env: { ...process.env, PATH: `${join(place, "bin")}:${process.env.PATH}` },
  });
  return { exitCode, lines: stdout.toString().trimEnd().split("\n") };
}

describe(".ci/run", () => {
  test("adds up the counts of all runners, with or without colours, and repeats skipped tests", () => {
    const { exitCode, lines } = run({
      test: { says: String.raw` 12 pass\n 0 fail\n` },
      "test:replay": { says: String.raw`\033[32m 30 pass\033[0m\n 0 fail\n 4 pass\n 0 fail\n` },
      "test:power": { says: String.raw`LEFT OUT: no strace\n 1 pass\n 2 skip\n 0 fail\n` },
    });
    expect(exitCode).toBe(0);
    expect(lines.slice(-2)).toEqual(["LEFT OUT: no strace", "47 passed, 0 failed"]);
  });

  test("fails if one test fails, and runs the others", () => {
    const { exitCode, lines } = run({
      test: { says: String.raw` 12 pass\n 2 fail\n`, status: 1 },
      "test:power": { says: String.raw` 1 pass\n 1 fail\n`, status: 1 },
    });
    expect(exitCode).toBe(1);
    expect(lines.at(-1)).toBe("13 passed, 3 failed");
  });

  test("counts a runner that failed before it counted as one failure", () => {
    const { exitCode, lines } = run({ test: { status: 2 }, "test:arm64": { says: String.raw` 1 pass\n` } });
    expect(exitCode).toBe(1);
    expect(lines.at(-1)).toBe("1 passed, 1 failed");
  });
});
