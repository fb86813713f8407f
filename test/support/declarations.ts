// Which file declares an endpoint, an event or a field of the initial state: where to mend what breaks the wire contract.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

const root = join(import.meta.dir, "..", "..");

interface Source {
  path: string;
  text: string;
}

const read = new Map<string, Source[]>();

/** The file of an endpoint, by its operation ID. */
export function fileOfEndpoint(id: string): string | undefined {
  const files = sources("api", "schema");
  const declaring = new RegExp(`\\bendpoint\\(\\s*"${id}"`);
  return (
    files.find(({ text }) => declaring.test(text)) ?? files.find(({ text }) => text.includes(`"${id}"`))
  )?.path;
}

/** The file of an event; of those of its type, the one that declares this operation. */
export function fileOfEvent(type: string, op: string | null): string | undefined {
  const start = new RegExp(`\\bevent(?:<[^"]*>)?\\(\\s*"${type}"`);
  const declaring = sources("schema", "events").filter(({ text }) => start.test(text));
  const hasOp = ({ text }: Source) =>
    text.split(start).some((after, i) => {
      const [options = ""] = after.split(/\bevent[<(]/);
      return i > 0 && (/\bop: "(\w+)"/.exec(options)?.[1] ?? null) === op;
    });
  return (declaring.find(hasOp) ?? declaring[0])?.path;
}

/** The files that give a field of the initial state, by the fetch types that ask for it; every state has the others. */
export function filesOfField(types: readonly string[]): string[] {
  const found = sources("api").filter(({ text }) => {
    const state = /\bstate: \{.*?\n {2}(?:\}|[a-z]+:)/s.exec(`${text}\n  }`)?.[0] ?? "";
    return types.some((type) => new RegExp(`\\b${type}\\b`).test(state));
  });
  const path = fileOfEndpoint("register-queue");
  return found.length > 0 ? found.map((file) => file.path) : path ? [path] : [];
}

/** The files of all domains with one of these names. They are read only to explain a failure. */
function sources(...names: string[]): Source[] {
  const pattern = `src/*/*/{${names.join(",")}}.ts`;
  const made =
    read.get(pattern) ??
    [...new Glob(pattern).scanSync(root)]
      .sort()
      .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  read.set(pattern, made);
  return made;
}
