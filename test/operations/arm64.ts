// The executable for Linux on arm64, under an emulator: `npm run test:arm64`.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runnerOf, tryExecutable } from "../../.ci/try.mjs";

const folder = mkdtempSync(join(tmpdir(), "confab-arm64-"));
const executable = join(folder, "confab");
const { runner = [], obstacle } = runnerOf("linux-arm64");

if (obstacle) console.error(`LEFT OUT: nobody tried the executable for Linux on arm64: ${obstacle}.`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(obstacle !== undefined)("the executable for Linux on arm64", () => {
  test("prints its version, creates an organization, serves it and accepts a message", async () => {
    const build = join(import.meta.dir, "..", "..", ".ci", "build.mjs");
    const { success } = Bun.spawnSync(["node", build, "--target=bun-linux-arm64", `--out=${executable}`], {
      stdout: "inherit",
      stderr: "inherit",
    });
    expect(success).toBe(true);
    expect(await tryExecutable([...runner, executable])).toMatch(/^\d+\.\d+\.\d+/);
  }, 300_000);
});
