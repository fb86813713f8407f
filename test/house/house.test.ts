// Checks the rules of src/README.md that neither the compiler nor Biome can check.

import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { texts, wrongCitations } from "../support/citations.ts";
import { root, type SourceFile, sourceTree, textOf } from "../support/source-tree.ts";

const files = await sourceTree("src", "cli", "console", "test");
const inKernel = (path: string) => path.startsWith("src/kernel/");
const imports = files.flatMap((file) => file.imports.map((imported) => ({ ...imported, file: file.path })));
const ours = imports.filter(({ file }) => !file.startsWith("test/"));

describe("one door to each library", () => {
  test.each([
    ["hono", "src/kernel/http/http.ts"],
    ["hono/html", "src/kernel/http/html.ts"],
    ["@hono/node-server", "src/server.ts"],
    ["commander", "cli/program.ts"],
  ])("%s is imported only by %s", (library, door) => {
    const isOf = (to: string) => (library === "hono" ? /^hono(\/(?!html$)|$)/.test(to) : to === library);
    const users = ours.filter(({ to }) => isOf(to));
    expect(users.length).toBeGreaterThan(0);
    expect(users.map(({ file }) => file).filter((file) => file !== door)).toEqual([]);
  });
});

describe("the kernel", () => {
  const chat =
    /chat|channel|stream|topic|message|subscri|reaction|realm|emoji|user ?group|conversation|narrow|mention|draft|reminder|webhook|invit|upload|avatar|moderator|guest|\bbots?\b/gi;
  /** What such a word also means: an error's text, a stream of bytes, and the realm of HTTP's authentication. */
  const excused = [
    { file: /./, text: /\b(error|issue|worded)\??\.message\b|"www-authenticate"\] = [^;]* realm="confab"/g },
    { file: /\/errors\.ts$/, text: /\bmessage\b/g },
    { file: /\/(compression|multipart|long-answers)\.ts$/, text: /\bstreams?\b/g },
    {
      file: /./,
      text: /"node:stream(\/promises)?"|\bReadableStream\b|\bIncomingMessage\b|^ *readonly stream\?: \{|\b(?:sink|incoming)\.stream\?\./gm,
    },
  ];
  const chatIn = ({ path, text }: Pick<SourceFile, "path" | "text">) => {
    const rest = excused
      .filter(({ file }) => file.test(path))
      .reduce((left, one) => left.replaceAll(one.text, ""), text);
    return (rest.match(chat) ?? []).map((word) => `${path}: ${word}`);
  };

  test("contains no word of chat, even in comments", () => {
    const kernel = files.filter(({ path }) => inKernel(path));
    expect(kernel.length).toBeGreaterThan(30);
    expect(kernel.flatMap(chatIn)).toEqual([]);
  });

  test("may use such words only for errors and bytes", () => {
    const found = (text: string, path = "src/kernel/store/db.ts") => chatIn({ path, text });
    expect(found("// Sends a Message to streamId: error.message")).toEqual([
      "src/kernel/store/db.ts: Message",
      "src/kernel/store/db.ts: stream",
    ]);
    expect(found("stream of topics", "src/kernel/http/multipart.ts")).toEqual([
      "src/kernel/http/multipart.ts: topic",
    ]);
  });
});

describe("imports", () => {
  test("the kernel knows no domain", () => {
    expect(
      worded(ours.filter((i) => inKernel(i.file) && i.to.startsWith("src/") && !inKernel(i.to))),
    ).toEqual([]);
  });

  test("only its own folder imports a store", () => {
    const isStore = (path: string) => /^src\/(?!kernel\/)[^/]+\/.+\/store(-\w+)?\.ts$/.test(path);
    const folderOf = (path: string) => path.split("/").slice(0, 3).join("/");
    expect(worded(ours.filter((i) => isStore(i.to) && folderOf(i.to) !== folderOf(i.file)))).toEqual([]);
  });

  test("cli and console import only actions, queries, schemas, words, addresses, descriptions and hosts of the core", () => {
    const open =
      /^src\/(app|core|api-model|text\/(language\/languages|quoting\/narrow-url)|cluster\/(host|machines\/(founding|machine|nats-program|seat))|kernel\/(lib\/(errors|control-characters|log|wording)|http\/(rule-words|shape-text))|[^/]+\/[^/]+\/(actions(-[a-z-]+)?|queries|schema|words|descriptions|host))\.ts$/;
    const mayServe = (i: Imported) =>
      i.file.startsWith("cli/") &&
      /^(src\/server\.ts|console\/(app\.tsx|changes\.ts|remote\/serving\.ts))$/.test(i.to);
    const isOpen = (i: Imported) => open.test(i.to) || (i.typeOnly && inKernel(i.to)) || mayServe(i);
    const crossings = ours.filter((i) => /^(cli|console)\//.test(i.file) && top(i.to) !== top(i.file));
    const toOurs = crossings.filter((i) => /^(src|cli|console|test)\//.test(i.to));
    expect(worded(toOurs.filter((i) => !isOpen(i)))).toEqual([]);
  });

  test("screens of the console make changes only in a way that the leading node can carry out", () => {
    const isAction = (to: string) => /^src\/[^/]+\/[^/]+\/actions(-[a-z-]+)?\.ts$/.test(to);
    const acting = ours.filter((i) => i.file.startsWith("console/") && isAction(i.to));
    // The link to the server borrows a key only where the folder is not a node's.
    const allowed = /^console\/(changes\/\w+|server-link)\.ts$/;
    expect(acting.length).toBeGreaterThan(20);
    expect(worded(acting.filter((i) => !allowed.test(i.file)))).toEqual([]);
  });

  test("src/domains.ts imports the api.ts of every folder, whose endpoints nobody reaches otherwise", () => {
    const isDomain = (path: string) => /^src\/(?!kernel\/|web\/)[^/]+\/[^/]+\/api\.ts$/.test(path);
    const listed = new Set(ours.filter((i) => i.file === "src/domains.ts").map(({ to }) => to));
    expect(listed.size).toBeGreaterThan(40);
    const all = files.map(({ path }) => path).filter(isDomain);
    expect(all.filter((path) => !listed.has(path))).toEqual([]);
  });

  test("the core imports neither cli nor console", () => {
    expect(
      worded(ours.filter((i) => i.file.startsWith("src/") && /^(cli|console|test)\//.test(i.to))),
    ).toEqual([]);
  });
});

describe("files", () => {
  test("have names that say what they contain", () => {
    const vague = /(^|\/)index\.|(^|[/-])(utils?|helpers?|managers?|services?)(\.[^/]*)?(\/|$)/;
    // A bundle is named after its entry.
    const named = files.map(({ path }) => path).filter((path) => path !== "src/web/index.tsx");
    expect(named.filter((path) => vague.test(path))).toEqual([]);
  });
});

describe("code", () => {
  test("contains SQL only in the kernel and in stores", () => {
    const sql =
      /\b(SELECT\s[\s\S]*?\sFROM|INSERT\s(OR \w+ )?INTO|UPDATE\s\w+\sSET|DELETE\sFROM|CREATE\s\w+|PRAGMA)\s/;
    const elsewhere = files.filter(
      ({ path }) => /^(src|cli|console)\//.test(path) && !/\/store(-\w+)?\.ts$/.test(path),
    );
    expect(
      elsewhere.filter(({ path, text }) => !inKernel(path) && sql.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });

  test("suppresses no error of compiler or linter outside the kernel", () => {
    const silence = /(\/\/|\/\*)\s*(@ts-(ignore|nocheck|expect-error)|biome-ignore)/;
    expect(offenders(silence, ({ path }) => !inKernel(path))).toEqual([]);
  });

  test("exports no function or value that is used only in its own file", () => {
    const words = files.map(({ path, text }) => ({ path, words: new Set(text.match(/\w+/g)) }));
    const exported = files.flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const) (\w+)/gm)].map(([, name = ""]) => ({
        path,
        name,
      })),
    );
    const isUsed = ({ path, name }: { path: string; name: string }) =>
      words.some((file) => file.path !== path && file.words.has(name));
    expect(exported.filter((one) => !isUsed(one)).map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });

  test("logs only with the logger", () => {
    expect(offenders(/\bconsole\.log\(/, ({ path }) => path.startsWith("src/"))).toEqual([]);
  });

  test("contains no path of a developer's machine", async () => {
    const machine = new RegExp(`(^|[\\s"'\`(=:])/(${["work", "root"].join("|")})/`, "m");
    const listed = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: root });
    const tracked = listed.stdout.toString().split("\0").filter(Boolean);
    const texts = await Promise.all(tracked.map(async (path) => [path, await textOf(path)] as const));
    expect(
      texts.filter(([, text]) => !text.includes("\0") && machine.test(text)).map(([path]) => path),
    ).toEqual([]);
  });
});

describe("snapshots", () => {
  // Bun writes a new one for a test that was renamed, and then holds that test to nothing.
  test("are of tests that exist", async () => {
    const names: string[] = [];
    const orphans: string[] = [];
    for await (const path of new Glob("test/**/__snapshots__/*.snap").scan(root)) {
      const source = await textOf(path.replace("__snapshots__/", "").replace(/\.snap$/, ""));
      const titles = [...source.matchAll(/\b(?:test|describe)\("([^"]+)"/g)].map((found) => found[1] ?? "");
      const whole = new Set(
        titles.flatMap((outer) => [outer, ...titles.map((inner) => `${outer} ${inner}`)]),
      );
      const keys = [...(await textOf(path)).matchAll(/^exports\[`(.+) \d+`\]/gm)].map(
        (found) => found[1] ?? "",
      );
      names.push(...keys);
      orphans.push(...keys.filter((key) => !whole.has(key)).map((key) => `${path}: ${key}`));
    }
    expect(names).not.toEqual([]);
    expect(orphans).toEqual([]);
  });
});

describe("documents", () => {
  test("that are cited, and their sections, are in the repository", () => {
    const planted = "test/house/documents.test.ts";
    const all = Object.entries(texts).filter(([path]) => path !== planted);
    expect(all.flatMap(([path, text]) => wrongCitations(path, text))).toEqual([]);
  });
});

type Imported = (typeof imports)[number];

function offenders(pattern: RegExp, among: (file: SourceFile) => boolean) {
  return files
    .filter(among)
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    );
}

function worded(found: Imported[]) {
  return found.map(({ file, to }) => `${file} imports ${to}`);
}

function top(path: string) {
  return path.split("/")[0];
}
