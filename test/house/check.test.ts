// `npm run check` on a small project: what it remembers must never hide a fault.
import { afterAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dir, "..", "..");
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const good = 'export const answer: string = "yes";\n';
const wrongType = "export const answer: string = 7;\n";
const wrongStyle = "export const answer: string = 'yes'\n";

/** A repository with the three projects of ours, each of one file, and the packages that check them. */
function project() {
  const folder = mkdtempSync(join(tmpdir(), "confab-check-"));
  folders.push(folder);
  const path = (...parts: string[]) => join(folder, ...parts);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), text);
  };
  const options = { strict: true, noEmit: true, lib: ["ES5"], types: [], skipLibCheck: true };
  const configuration = (more = {}) =>
    JSON.stringify({ compilerOptions: { ...options, ...more }, include: ["."] });

  write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: options, include: ["src"], exclude: ["src/web"] }),
  );
  write("src/web/tsconfig.json", configuration());
  write("test/web/tsconfig.json", configuration());
  for (const file of ["src/one.ts", "src/web/two.ts", "test/web/three.ts"]) write(file, good);
  const biome = (quoteStyle = "double") =>
    JSON.stringify({
      files: { includes: ["src/**/*.ts"] },
      javascript: { formatter: { quoteStyle } },
      json: { formatter: { enabled: false } },
      linter: { enabled: false },
    });
  write("biome.json", biome());
  write(".gitignore", "node_modules\ndist\n");
  write("package.json", JSON.stringify({ name: "small", type: "module" }));
  mkdirSync(path(".ci"));
  copyFileSync(join(root, ".ci", "check.mjs"), path(".ci", "check.mjs"));
  const installed = (...parts: string[]) => join(root, "node_modules", ...parts);
  const link = (to: string, ...parts: string[]) => {
    mkdirSync(dirname(path("node_modules", ...parts)), { recursive: true });
    symlinkSync(to, path("node_modules", ...parts));
  };
  link(installed(".bin", "biome"), ".bin", "biome");
  link(installed("typescript", "bin", "tsc"), ".bin", "tsc");
  const version = (text: string) =>
    write("node_modules/@biomejs/biome/package.json", JSON.stringify({ version: text }));
  version("1.0.0");
  Bun.spawnSync(["git", "init", "-q"], { cwd: folder });

  const check = async () => {
    const child = Bun.spawn([process.execPath, path(".ci", "check.mjs")], { stdout: "pipe", stderr: "pipe" });
    const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
    return { passes: (await child.exited) === 0, output: Bun.stripANSI(output) };
  };
  return { path, write, configuration, biome, version, check };
}

describe("check", () => {
  test("passes without a fault, then leaves unchanged files alone, and notices each wrong type until it is mended", async () => {
    const { check, write } = project();
    expect(await check()).toMatchObject({ passes: true, output: expect.stringContaining("Checked 3 files") });
    expect(await check()).toEqual({ passes: true, output: "" });
    const files = ["src/one.ts", "src/web/two.ts", "test/web/three.ts", "src/new.ts"];
    for (const file of files) write(file, wrongType);
    for (const _ of [1, 2]) {
      const { passes, output } = await check();
      expect(passes).toBe(false);
      expect(files.filter((file) => !output.includes(file))).toEqual([]);
    }
    for (const file of files) write(file, good);
    expect((await check()).passes).toBe(true);
  });

  test("notices what a changed tsconfig refuses in files that have not changed", async () => {
    const { check, write, configuration } = project();
    write("src/web/two.ts", "export function nothing(unused: number): void {}\n");
    expect((await check()).passes).toBe(true);
    write("src/web/tsconfig.json", configuration({ noUnusedParameters: true }));
    expect(await check()).toMatchObject({ passes: false, output: expect.stringContaining("unused") });
  });

  test("does not believe what another version of the compiler found out", async () => {
    const { check, write, path } = project();
    write("src/one.ts", wrongType);
    expect((await check()).passes).toBe(false);
    const known = path("dist", "check", "all.tsbuildinfo");
    const info = JSON.parse(readFileSync(known, "utf8"));
    // As if this version had found nothing wrong: believed, so that the next step shows something.
    delete info.semanticDiagnosticsPerFile;
    delete info.affectedFilesPendingEmit;
    writeFileSync(known, JSON.stringify(info));
    expect((await check()).passes).toBe(true);
    writeFileSync(known, JSON.stringify({ ...info, version: "6.0.0" }));
    expect(await check()).toMatchObject({ passes: false, output: expect.stringContaining("src/one.ts") });
  });

  test("notices a style that Biome refuses in a file that changed or is new, until it is mended", async () => {
    const { check, write } = project();
    expect((await check()).passes).toBe(true);
    const files = ["src/one.ts", "src/new.ts"];
    for (const file of files) write(file, wrongStyle);
    for (const _ of [1, 2]) {
      const { passes, output } = await check();
      expect(passes).toBe(false);
      expect(files.filter((file) => !output.includes(file))).toEqual([]);
    }
    for (const file of files) write(file, good);
    expect(await check()).toMatchObject({ passes: true, output: expect.stringContaining("Checked 1 file") });
  });

  test("looks at every file again after a change of Biome's settings, or of its version", async () => {
    const { check, write, biome, version } = project();
    expect((await check()).passes).toBe(true);
    write("biome.json", biome("single"));
    expect(await check()).toMatchObject({ passes: false, output: expect.stringContaining("src/one.ts") });
    write("biome.json", biome());
    expect((await check()).output).toBe("");
    version("2.0.0");
    expect(await check()).toMatchObject({ passes: true, output: expect.stringContaining("Checked 3 files") });
  });
});
