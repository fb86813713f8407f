// Readers that go away without ending what they read, in a process of its own: it used to end.
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newName, placeOf } from "@/foundation/file-stores/names.ts";
import { newFolder } from "../support/executable.ts";

const root = join(import.meta.dir, "..", "..");

/** Begins to read large files without ending it, until they are collected; prints how many of them are still open. */
async function afterwards(begin: string): Promise<{ status: number; left: string; errors: string }> {
  const script = `
    import { readdirSync, readlinkSync } from "node:fs";
    const begin = async (folder: string) => { ${begin} };
    const folder = process.argv.at(-1)!;
    const open = () => readdirSync("/proc/self/fd").filter((name) => {
      try { return readlinkSync("/proc/self/fd/" + name).startsWith(folder); } catch { return false; }
    }).length;
    for (let n = 0; n < 20; n++) await begin(folder);
    const before = open();
    for (let n = 0; n < 3000 && open() > 0; n++) { Bun.gc(true); await Bun.sleep(20); }
    console.log(before > 0 ? open() : "never opened");
    process.exit(0);
  `;
  const folder = newFolder();
  const file = join(folder, placeOf({ shelf: "uploads", name }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.alloc(3_000_000, "x"));
  const child = Bun.spawn([process.execPath, "-e", script, folder], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [left, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, left: left.trim(), errors };
}

const name = newName();
const isLinux = process.platform === "linux";

describe.skipIf(!isLinux)("a file that nobody reads to its end is closed, and the process goes on", () => {
  test.each([
    [
      "a download",
      `const { diskStore } = await import("@/foundation/file-stores/disk.ts");
       const found = await diskStore({ files: folder }).find({ shelf: "uploads", name: "${name}" });
       await found.read(0, found.bytes).next();`,
    ],
    [
      "a snapshot",
      `const { pack } = await import("@/cluster/snapshot-file.ts");
       const { placeOf } = await import("@/foundation/file-stores/names.ts");
       await pack(folder + "/" + placeOf({ shelf: "uploads", name: "${name}" })).getReader().read();`,
    ],
  ])("%s", async (_, begin) => {
    expect(await afterwards(begin)).toEqual({ status: 0, left: "0", errors: "" });
  });
});
