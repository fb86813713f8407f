// The licenses of the bundled packages: what `confab licenses` prints, and what stops a build.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { confab, json } from "./support/executable.ts";
import { temporaryFolders } from "./support/folder.ts";
import type { Json } from "./support/requests.ts";

const root = join(import.meta.dir, "..");
const folder = temporaryFolders();
const lock: Json = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;

describe("licenses", () => {
  test("prints the notice of every package in the executable, and of its runtime", async () => {
    const { status, stdout } = await confab(["licenses"]);
    expect(status).toBe(0);
    const { components } = await json<Json>(["licenses"]);
    for (const { name, version } of components)
      expect(stdout).toMatch(new RegExp(`^${name} ${version}|^Bun ${version}`, "m"));
    expect(stdout).toContain("JavaScriptCore");
    expect(stdout).toContain(readFileSync(join(root, "node_modules", "hono", "LICENSE"), "utf8").trim());
    expect(stdout).toContain(readFileSync(join(root, "node_modules", "tar", "LICENSE.md"), "utf8").trim());
  });

  test("lists exactly the bundled packages, in the lockfile's versions", async () => {
    const { components } = await json<Json>(["licenses"]);
    const names = components.map(({ name }: Json) => name);
    for (const name of [
      "bun",
      "hono",
      "@hono/node-server",
      "zod",
      "commander",
      "get-east-asian-width",
      "ink",
      "react",
      "markdown-it",
      "tar",
    ]) {
      expect(names).toContain(name);
      expect(components.find((one: Json) => one.name === name).version).toBe(
        lock[`node_modules/${name}`].version,
      );
    }
    for (const name of ["typescript", "@biomejs/biome", "ajv", "fast-check", "puppeteer-core"])
      expect(names).not.toContain(name);
    const { license } = components.find(({ name }: Json) => name === "diff");
    expect(license).toBe("BSD-3-Clause");
  });
});

/** Gathers notices for a bundle that holds these packages. */
function gather(
  packages: Record<string, { license?: string; notice?: string; dependencies?: Record<string, string> }>,
) {
  const place = folder();
  const locked: Json = { "": { name: "confab", version: "1.2.3", license: "Apache-2.0" } };
  const inputs: Json = { "cli/main.ts": { bytesInOutput: 5 } };
  for (const [name, { license, notice, dependencies }] of Object.entries(packages)) {
    const path = join("node_modules", name);
    mkdirSync(join(place, path), { recursive: true });
    writeFileSync(join(place, path, "package.json"), JSON.stringify({ name, license }));
    if (notice) writeFileSync(join(place, path, "LICENSE"), notice);
    locked[path] = { version: "4.5.6", integrity: `sha512-${btoa("hash")}`, dependencies };
    inputs[`${path}/index.js`] = { bytesInOutput: 7 };
  }
  locked["node_modules/unused"] = { version: "7.8.9" };
  inputs["node_modules/unused/index.js"] = { bytesInOutput: 0 };
  writeFileSync(join(place, "package-lock.json"), JSON.stringify({ packages: locked }));
  const metafile = join(place, "meta.json");
  writeFileSync(metafile, JSON.stringify({ outputs: { "main.js": { inputs } } }));
  const out = join(place, "out");
  const { exitCode, stderr } = Bun.spawnSync([
    "node",
    join(root, ".ci", "notices.mjs"),
    metafile,
    out,
    place,
  ]);
  return { exitCode, stderr: stderr.toString(), out };
}

describe("notices", () => {
  test("come with a bill of materials that lists dependencies", () => {
    const { exitCode, out } = gather({
      "@a/one": {
        license: "(GPL-3.0 OR MIT)",
        notice: "Copyright One",
        dependencies: { two: "*", unused: "*" },
      },
      two: { license: "ISC", notice: "Copyright Two" },
    });
    expect(exitCode).toBe(0);
    const text = readFileSync(join(out, "THIRD-PARTY.txt"), "utf8");
    expect(text).toMatch(
      /@a\/one 4\.5\.6 \(.*\)\n\nCopyright One[\s\S]*two 4\.5\.6 \(ISC\)\n\nCopyright Two/,
    );
    expect(text).not.toContain("unused");
    const bill: Json = JSON.parse(readFileSync(join(out, "sbom.cdx.json"), "utf8"));
    expect(bill).toMatchObject({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      metadata: {
        component: { name: "confab", version: "1.2.3", licenses: [{ license: { id: "Apache-2.0" } }] },
      },
    });
    expect(bill.components.slice(1)).toMatchObject([
      {
        group: "@a",
        name: "one",
        purl: "pkg:npm/%40a/one@4.5.6",
        hashes: [{ alg: "SHA-512", content: "68617368" }],
      },
      { name: "two", purl: "pkg:npm/two@4.5.6", licenses: [{ license: { id: "ISC" } }] },
    ]);
    const asked = bill.dependencies.find(({ ref }: Json) => ref === "pkg:npm/%40a/one@4.5.6");
    expect(asked.dependsOn).toEqual(["pkg:npm/two@4.5.6"]);
  });

  test.each([
    [
      "a licence that asks for more than its notice",
      { license: "GPL-3.0", notice: "Copyright" },
      'not allowed: "GPL-3.0"',
    ],
    [
      "two licences of which one is not allowed",
      { license: "MIT AND AGPL-3.0", notice: "Copyright" },
      "not allowed",
    ],
    ["no licence", { notice: "Copyright" }, 'not allowed: "none"'],
    ["no notice", { license: "MIT" }, "has no file with its notice"],
  ])("fail the build where a package has %s", (_, found, sentence) => {
    const { exitCode, stderr, out } = gather({ good: { license: "MIT", notice: "Copyright" }, odd: found });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(sentence);
    expect(Bun.file(join(out, "THIRD-PARTY.txt")).size).toBe(0);
  });
});
