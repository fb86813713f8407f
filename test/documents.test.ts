// Every document and section that code, comments and documents cite exists, in this repository.
import { describe, expect, test } from "bun:test";
import { posix } from "node:path";
import { root, textOf } from "./support/source-tree.ts";

const listed = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: root });
const paths = listed.stdout.toString().split("\0").filter(Boolean);
const isText = (path: string) => /\.(ts|tsx|mjs|mts|md|yml|sh)$|^\.ci\/run$/.test(path);
// Released migrations never change, comments included.
const isFrozen = (path: string) => path.startsWith("src/migrations/");
const texts = Object.fromEntries(
  await Promise.all(
    paths.filter((path) => isText(path) && !isFrozen(path)).map(async (path) => [path, await textOf(path)]),
  ),
) as Record<string, string>;

/** What people read: of code the comments, of documents everything. */
function prose(path: string, text: string): string {
  if (path.endsWith(".md")) return text;
  const comments = text.matchAll(/(?:^|\s)\/\/(.*)$|^\s*(\/?\*.*)$/gm);
  return [...comments].map(([, line, inBlock]) => line ?? inBlock).join("\n");
}

/** A path that ends in `.md`, perhaps with a section; or a link in Markdown to a place on its own page. */
const mention = /(?<![\w/.@-])((?:[\w.-]+\/)*[\w.-]+\.md)\b(?:#([\w-]+))?|(?<=\])\(#([\w-]+)\)/g;
/** Sections of documents that are not files here: a name in capitals with a number or a quoted title. */
const elsewhere = /[(;,] ?([A-Z][A-Z-]{2,})(?:\.md)?,? (?:\d|")/g;
const standards = new Set(["RFC", "ISO", "UTF", "SHA"]);
/** Written by `npm run release`. */
const generated = new Set(["TRIED.md"]);

interface Citation {
  from: string;
  to: string;
  section?: string;
}

function citationsIn(path: string, text: string): Citation[] {
  return [...prose(path, text).matchAll(mention)].map(([, to, section, own]) => {
    return to === undefined
      ? { from: path, to: path, section: own }
      : { from: path, to: targetOf(path, to), section };
  });
}

/** Documents are named from the repository's root or, in links, from the folder that the link is in. */
function targetOf(from: string, to: string): string {
  const beside = posix.normalize(posix.join(posix.dirname(from), to));
  return beside in texts ? beside : to;
}

/** Titles as GitHub makes anchors of them. */
function sectionsOf(text: string): Set<string> {
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function wrongIn(path: string, text: string): string[] {
  const missing = citationsIn(path, text).filter(({ to, section }) => {
    if (generated.has(to)) return false;
    const target = texts[to];
    return target === undefined || (section !== undefined && !sectionsOf(target).has(section));
  });
  const outside = [...prose(path, text).matchAll(elsewhere)].filter(([, name = ""]) => !standards.has(name));
  return [
    ...missing.map(({ from, to, section }) => `${from} cites ${to}${section ? `#${section}` : ""}`),
    ...outside.map(([found]) => `${path} cites '${found.slice(1).trim()}'`),
  ];
}

describe("documents", () => {
  const own = "test/documents.test.ts";

  test("exist where they are cited, with the section", () => {
    const all = Object.entries(texts).filter(([path]) => path !== own);
    expect(all.flatMap(([path, text]) => wrongIn(path, text))).toEqual([]);
  });

  test("are cited by code and by each other, so that nothing passes by not being found", () => {
    const cited = Object.entries(texts).flatMap(([path, text]) => citationsIn(path, text));
    expect(cited.filter(({ from }) => from.endsWith(".ts")).length).toBeGreaterThan(10);
    expect(cited.filter(({ from, section }) => from.endsWith(".md") && section).length).toBeGreaterThan(100);
  });

  test("of decisions are all in the list of decisions", () => {
    const list = "docs/decisions/README.md";
    const files = Object.keys(texts).filter((path) => path.startsWith("docs/decisions/") && path !== list);
    const listed = citationsIn(list, texts[list] ?? "").map(({ to }) => to);
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((path) => !listed.includes(path))).toEqual([]);
  });

  test.each([
    ["a document that is not here", "// See docs/nothing.md."],
    ["a section that is not there", "// As docs/design.md#nothing says."],
    ["a section by its number", "/** Sends a message (MANUAL 4.1). */"],
    ["a section by its title", '// What each user knows (MANUAL, "Messages").'],
    ["a document beside the repository", "// See ../elsewhere/NOTES.md"],
  ])("are refused: %s", (_, text) => {
    expect(wrongIn("src/app.ts", text)).toHaveLength(1);
  });

  test("may be standards", () => {
    expect(wrongIn("src/app.ts", "// Templates (RFC 6570); docs/design.md#store")).toEqual([]);
  });
});
