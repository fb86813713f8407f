// How citations of documents are recognized; test/house/house.test.ts checks them in the whole project.
import { describe, expect, test } from "bun:test";
import { migrations } from "@/migrations/all.ts";
import { outdatedLists } from "../../.ci/generate.ts";
import packageFile from "../../package.json";
import { citationsIn, texts, wrongCitations } from "../support/citations.ts";

describe("citations", () => {
  test("are found in code and in documents, so an empty search fails", () => {
    const cited = Object.entries(texts).flatMap(([path, text]) => citationsIn(path, text));
    expect(cited.filter(({ from }) => from.endsWith(".ts")).length).toBeGreaterThan(10);
    expect(cited.filter(({ from, section }) => from.endsWith(".md") && section).length).toBeGreaterThan(100);
  });

  test("in the list of decisions include every decision", () => {
    const list = "docs/decisions/README.md";
    const files = Object.keys(texts).filter((path) => path.startsWith("docs/decisions/") && path !== list);
    const listed = citationsIn(list, texts[list] ?? "").map(({ to }) => to);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((path) => !listed.includes(path))).toEqual([]);
  });

  test.each([
    ["a document that is not here", "// See docs/nothing.md."],
    ["a section that is not there", "// As docs/design.md#nothing says."],
    ["a section by its number", "/** Sends a message (MANUAL 4.1). */"],
    ["a section by its title", '// What each user knows (MANUAL, "Messages").'],
    ["a document beside the repository", "// See ../elsewhere/NOTES.md"],
  ])("are refused: %s", (_, text) => {
    expect(wrongCitations("src/app.ts", text)).toHaveLength(1);
  });

  test("of a missing file of code are refused in documents for developers", () => {
    for (const path of ["docs/design.md", "src/web/README.md"]) {
      expect(wrongCitations(path, "`src/kernel/nothing.ts` and `kernel/store/db.ts`")).toEqual([
        `${path} cites src/kernel/nothing.ts`,
      ]);
    }
  });

  test("of a missing folder of code are refused in documents for developers", () => {
    expect(
      wrongCitations("docs/design.md", "`src/nothing`, `test/nothing/` and `src/kernel/store/`"),
    ).toEqual(["docs/design.md cites src/nothing", "docs/design.md cites test/nothing"]);
  });

  test("of standards are allowed", () => {
    expect(wrongCitations("src/app.ts", "// Templates (RFC 6570); docs/design.md#store")).toEqual([]);
  });
});

test("documents are generated into docs/reference only, and say so at their top", () => {
  const saysSo = ([, text]: [string, string]) => /^# .+\n\nThis page is generated from /.test(text);
  const pages = Object.entries(texts).filter(([path]) => path.endsWith(".md"));
  const generated = pages.filter(([path]) => path.startsWith("docs/reference/"));
  expect(pages.filter(saysSo)).toEqual(generated);
  expect(generated.map(([path]) => path)).toEqual(
    ["command-line.md", "http-api.md", "metrics.md", "senders.md"].map((name) => `docs/reference/${name}`),
  );
});

test("docs/performance.md has each row once", () => {
  const rows = [...(texts["docs/performance.md"] ?? "").matchAll(/^ {4}(\S.*?) {2,}.* \d+ [A-Z][a-z]+$/gm)];
  const names = rows.map(([, name]) => name);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("docs/design.md lists every declared cache", () => {
  const declared = Object.entries(texts).flatMap(([path, text]) =>
    path.startsWith("src/")
      ? [...text.matchAll(/declareCache<[^(]*\(\{\s*name: "([^"]+)"/g)].map(([, name]) => name)
      : [],
  );
  const table = /\| cache \| holds.*?\n\n/s.exec(texts["docs/design.md"] ?? "")?.[0] ?? "";
  const listed = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name).slice(1);
  expect(listed.filter((name) => !name?.startsWith("-")).toSorted()).toEqual(declared.toSorted());
  expect(declared.length).toBeGreaterThan(5);
});

test("docs/administer.md shows the version that 'confab doctor' prints, and a schema that has existed", () => {
  const shown = /^ *✔ Version: (.*), schema (\d+)\.$/m.exec(texts["docs/administer.md"] ?? "");
  expect(shown?.[1]).toBe(`Confab ${packageFile.version}`);
  expect(Number(shown?.[2])).toBeWithin(1, migrations.length + 1);
});

test("'npm run generate' has nothing to write", async () => {
  expect(await outdatedLists()).toEqual([]);
});

test("the table of folders in src/README.md names every folder of the core once", async () => {
  const table = [...(texts["src/README.md"] ?? "").matchAll(/^\| ([a-z]+\/[a-z-]+) \|/gm)].map(
    ([, name = ""]) => name,
  );
  const folders = Object.keys(texts).flatMap(
    (path) => /^src\/((?!web\/)[a-z]+\/[a-z-]+)\//.exec(path)?.[1] ?? [],
  );
  const expected = [...new Set(folders)].toSorted();
  expect(expected.length).toBeGreaterThan(40);
  expect(table.toSorted()).toEqual(expected);
});
