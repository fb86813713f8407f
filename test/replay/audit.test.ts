// Checks that the audit of `npm run test:replay` finds planted faults.
import { expect, test } from "bun:test";
import { join } from "node:path";

test("a write that gives other rows when it runs again fails its test, and no other", () => {
  const args = ["test", "--preload", "./test/replay/preload.ts", "./test/replay/planted.ts"];
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...args], {
    cwd: join(import.meta.dir, "..", ".."),
  });
  const said = stderr.toString();
  expect(exitCode).toBe(1);
  expect(said.match(/^\((pass|fail)\) .*?(?= \[|$)/gm)).toEqual([
    "(fail) randomness in a statement",
    "(fail) a write that bypasses the write path",
    "(fail) a write that updates other rows without changing them",
    "(pass) an ordinary write",
  ]);
  expect(said).toMatch(/Run again, it changed \d+ rows, not \d+: UPDATE notes/);
  expect(said).toContain("Run again, the writes give other rows in notes");
});
