// Finds what comments and documents cite: other documents, their sections, and files of code.
import { posix } from "node:path";
import { root, textOf } from "./source-tree.ts";

const listed = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: root });
const paths = listed.stdout.toString().split("\0").filter(Boolean);
const isText = (path: string) => /\.(ts|tsx|mjs|mts|md|yml|sh)$|^\.ci\/run$/.test(path);
// Released migrations never change, comments included.
const isFrozen = (path: string) => path.startsWith("src/migrations/");
/** The project's text files, by path. */
export const texts = Object.fromEntries(
  await Promise.all(
    paths.filter((path) => isText(path) && !isFrozen(path)).map(async (path) => [path, await textOf(path)]),
  ),
) as Record<string, string>;

/** The prose of a file: a program's comments, or a document's whole text. */
function prose(path: string, text: string): string {
  if (path.endsWith(".md")) return text;
  const comments = text.matchAll(/(?:^|\s)\/\/(.*)$|^\s*(\/?\*.*)$/gm);
  return [...comments].map(([, line, inBlock]) => line ?? inBlock).join("\n");
}

/** A path that ends in `.md`, perhaps with a section; or a Markdown link to a section of the same page. */
const mention = /(?<![\w/.@-])((?:[\w.-]+\/)*[\w.-]+\.md)\b(?:#([\w-]+))?|(?<=\])\(#([\w-]+)\)/g;
/** References to documents that are not in the repository: a name in capitals with a number or a quoted title. */
const elsewhere = /[(;,] ?([A-Z][A-Z-]{2,})(?:\.md)?,? (?:\d|")/g;
const standards = new Set(["RFC", "ISO", "UTF", "SHA"]);
/** Written by `npm run release`. */
const generated = new Set(["TRIED.md"]);

/** A file of code in a document, with at least one folder. */
const codeFile = /`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|tsx|mjs|txt|json))`/g;
/** A folder of code in a document, by its whole path. */
const codeFolder = /`((?:src|test|cli|console)(?:\/[\w-]+)+)\/?`/g;
const isForDevelopers = (path: string) =>
  /^(docs\/(design|style|decisions\/.*)|(src|test)\/(.*\/)?README|CONTRIBUTING)\.md$/.test(path);

/** Documents name files from the repository's root, or by the last parts of the path. */
function hasFile(file: string): boolean {
  return paths.some((path) => path === file || path.endsWith(`/${file}`));
}

function hasFolder(folder: string): boolean {
  return paths.some((path) => path.startsWith(`${folder}/`));
}

interface Citation {
  from: string;
  to: string;
  section?: string;
}

export function citationsIn(path: string, text: string): Citation[] {
  return [...prose(path, text).matchAll(mention)].map(([, to, section, own]) => {
    return to === undefined
      ? { from: path, to: path, section: own }
      : { from: path, to: targetOf(path, to), section };
  });
}

/** Texts name documents from the repository's root or, in links, from the folder of the link. */
function targetOf(from: string, to: string): string {
  const relative = posix.normalize(posix.join(posix.dirname(from), to));
  return relative in texts ? relative : to;
}

/** The anchors that GitHub generates for a document's headings. */
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

/** Citations that lead nowhere: missing documents, sections and, in documents for developers, files and folders of code. */
export function wrongCitations(path: string, text: string): string[] {
  const missing = citationsIn(path, text).filter(({ to, section }) => {
    if (generated.has(to)) return false;
    const target = texts[to];
    return target === undefined || (section !== undefined && !sectionsOf(target).has(section));
  });
  const outside = [...prose(path, text).matchAll(elsewhere)].filter(([, name = ""]) => !standards.has(name));
  const named = (pattern: RegExp) =>
    isForDevelopers(path) ? [...text.matchAll(pattern)].map(([, name = ""]) => name) : [];
  const code = [
    ...named(codeFile).filter((file) => !hasFile(file)),
    ...named(codeFolder).filter((folder) => !hasFolder(folder)),
  ];
  return [
    ...code.map((name) => `${path} cites ${name}`),
    ...missing.map(({ from, to, section }) => `${from} cites ${to}${section ? `#${section}` : ""}`),
    ...outside.map(([found]) => `${path} cites '${found.slice(1).trim()}'`),
  ];
}
