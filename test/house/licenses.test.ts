// The licenses of the bundled packages: what `confab licenses` prints, and what stops a build.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { confab, json } from "../support/executable.ts";
import { temporaryFolders } from "../support/folder.ts";
import type { Json } from "../support/requests.ts";

const root = join(import.meta.dir, "..", "..");
const folder = temporaryFolders();
const lock: Json = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;

describe("licenses", () => {
  test("prints the notice of every package in the executable, and of its runtime", async () => {
    const { status, stdout } = await confab(["licenses"]);
    expect(status).toBe(0);
    const { components } = await json<Json>(["licenses"]);
    for (const { name, version } of components)
      expect(stdout).toMatch(new RegExp(`^${name} ${version}|^Bun ${version}`, "m"));
    expect(stdout).toContain(readFileSync(join(root, "node_modules", "hono", "LICENSE"), "utf8").trim());
    expect(stdout).toContain(readFileSync(join(root, "node_modules", "tar", "LICENSE.md"), "utf8").trim());
  });

  test("prints whose work Bun and packages contain, and the texts of its licences", async () => {
    const { stdout } = await confab(["licenses"]);
    const kept = (name: string) => readFileSync(join(root, ".ci", "notices", name), "utf8");
    const packages: Record<string, Part[]> = JSON.parse(kept("parts.json"));
    const inBun: Part[] = JSON.parse(kept("bun.json")).contains;
    for (const known of [
      "JavaScriptCore",
      "BoringSSL",
      "SQLite",
      "libdeflate",
      "Zstandard",
      "mimalloc",
      "ICU",
    ])
      expect(inBun.some(({ name }) => name.startsWith(known))).toBe(true);
    const parts = [...inBun, ...Object.values(packages).flat()];
    for (const { name, license, copyright, texts } of parts) {
      expect(stdout).toContain(`    ${name}: ${license}\n`);
      expect([name, copyright.length > 0 || license === "public domain"]).toEqual([name, true]);
      for (const line of copyright) expect(stdout).toContain(`        ${line}\n`);
      for (const text of texts)
        expect(stdout).toContain(`\nText: ${text}\n\n${kept(`licenses/${text}.txt`).trim()}`);
    }
    // Packages whose names change or that go away keep no parts.
    const { components } = await json<Json>(["licenses"]);
    const names = components.map(({ name }: Json) => name);
    expect(Object.keys(packages).filter((name) => !names.includes(name))).toEqual([]);
  });

  test("covers packages that others have bundled into their files", async () => {
    const { components } = await json<Json>(["licenses"]);
    // dist/esm/index.min.js of tar holds them.
    for (const name of ["@isaacs/fs-minipass", "chownr", "minipass", "minizlib", "yallist"]) {
      const { version } = lock[`node_modules/${name}`];
      expect(components).toContainEqual({ name, version, license: expect.any(String) });
    }
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

interface Part {
  name: string;
  license: string;
  copyright: string[];
  texts: string[];
}

/** Gathers notices for a bundle that holds these packages. */
function gather(
  packages: Record<
    string,
    {
      license?: string;
      notice?: string;
      dependencies?: Record<string, string>;
      /** The text of its file in the bundle, and the sources in its source map. */
      file?: string;
      sources?: string[];
    }
  >,
) {
  const place = folder();
  const locked: Json = { "": { name: "confab", version: "1.2.3", license: "Apache-2.0" } };
  const inputs: Json = { "cli/main.ts": { bytesInOutput: 5 } };
  for (const [name, { license, notice, dependencies, file = "", sources }] of Object.entries(packages)) {
    const path = join("node_modules", name);
    mkdirSync(join(place, path), { recursive: true });
    writeFileSync(join(place, path, "index.js"), file);
    if (sources) writeFileSync(join(place, path, "index.js.map"), JSON.stringify({ sources }));
    writeFileSync(join(place, path, "package.json"), JSON.stringify({ name, license }));
    if (notice) writeFileSync(join(place, path, "LICENSE"), notice);
    locked[path] = { version: "4.5.6", integrity: `sha512-${btoa("hash")}`, dependencies };
    if (!name.endsWith("inner")) inputs[`${path}/index.js`] = { bytesInOutput: 7 };
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

  test("cover packages in a package's file, and holders that its comments name", () => {
    const sources = ["../src/index.ts", "../node_modules/inner/a.js", "../../node_modules/@b/inner/b.js"];
    const file = [
      "// Copyright 2009 The Other Authors. All rights reserved.",
      "/*! Copyright 2011-2013 The Other Authors. All rights reserved. */",
      " * Copyright (c) 2020 Outer",
      'const copyright = "Copyright 2001 nobody";',
    ].join("\n");
    const inner = { license: "ISC", notice: "Copyright of an inner package" };
    const outer = { license: "MIT", notice: "Copyright (c) 2019 Outer", file, sources };
    const { exitCode, out } = gather({ outer, inner, "@b/inner": inner });
    expect(exitCode).toBe(0);
    const text = readFileSync(join(out, "THIRD-PARTY.txt"), "utf8");
    expect(text).toContain(
      "Copyright (c) 2019 Outer\n\nIts files also say:\n\nCopyright 2009 The Other Authors. All rights reserved.\n\n-",
    );
    const { components } = JSON.parse(readFileSync(join(out, "third-party.json"), "utf8"));
    expect(components.slice(1).map(({ name }: Json) => name)).toEqual(["@b/inner", "inner", "outer"]);

    const odd = gather({ outer: { ...outer, sources: ["../node_modules/elsewhere/a.js"] } });
    expect([odd.exitCode, odd.stderr]).toEqual([
      1,
      expect.stringContaining("contains elsewhere, which is not in package-lock.json"),
    ]);
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
