// Bundles the web client into dist/web, run by Bun: node_modules/.bin/bun .ci/web.mjs. Every file gets its hash into its
// name and is compressed; dist/web/files.js imports them all, so that the executable holds them. --if-stale leaves an
// up-to-date one alone.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { emojiNames, plainCode } from "../src/text/emoji/emoji.ts";
import { english } from "../src/text/language/catalogue.ts";
import { english as inEnglish, languages } from "../src/text/language/languages.ts";
import { compileTable, loadTranslations } from "../src/text/language/tables.ts";
import areas from "../src/text/language/texts.json";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = join(root, "src", "web");
const dist = join(root, "dist", "web");
const language = join(root, "src", "text", "language");
const emoji = join(root, "src", "text", "emoji");
const list = join(dist, "files.js");
const meta = join(dist, "meta.json");
/** Where Unicode's words for emoji are: those of single characters, and those of characters joined to one emoji. */
const annotations = [
  { name: "cldr-annotations-full", folder: "annotations" },
  { name: "cldr-annotations-derived-full", folder: "annotationsDerived" },
];

process.chdir(root);
if (process.argv.includes("--if-stale") && isFresh()) process.exit(0);

const aside = `${dist}.${process.pid}`;
const kept = join(aside, "files");
rmSync(aside, { recursive: true, force: true });
mkdirSync(kept, { recursive: true });
try {
  await bundle();
} catch (error) {
  for (const one of error.errors ?? [error]) console.error(String(one.message ? one : error));
  rmSync(aside, { recursive: true, force: true });
  process.exit(1);
}

/** What is stored of a file of the bundle. Fonts and the like are no text, and stay as they are. */
async function contentOf(path, { client, entry }) {
  const name = basename(path);
  const file = Bun.file(path);
  if (name.endsWith(".css")) return Buffer.from(withoutOldForms(await file.text(), name));
  if (name.endsWith(".js")) return Buffer.from(withFilesOfImports(await file.text(), client, entry));
  return Buffer.from(await file.bytes());
}

async function bundle() {
  const own = readOwnTexts();
  const client = await build("index.tsx", { splitting: true, own });
  const worker = await build("service-worker.ts", { own });
  const early = await build("early.ts", { format: "iife", own });
  const entry = { ...entryOf(client), early: basename(early.outputs[0].path) };
  const files = {};
  for (const { path, kind } of [...client.outputs, ...worker.outputs, ...early.outputs]) {
    if (kind === "sourcemap") continue;
    const name = basename(path);
    files[name] = await contentOf(path, { client, entry });
  }
  const assets = {};
  for (const [name, bytes] of otherFiles()) {
    assets[name] = hashed(name, bytes);
    files[assets[name]] = bytes;
  }
  const languages = languageTexts(own, files);
  const emojiFolder = emojiData(files);
  for (const [name, bytes] of Object.entries(files)) store(name, bytes);
  const serviceWorker = basename(worker.outputs[0].path);
  writeFileSync(
    join(aside, "files.js"),
    moduleText({ entry, serviceWorker, emoji: emojiFolder, assets, languages }, files),
  );
  const outputs = Object.assign({}, ...[client, worker, early].map(({ metafile }) => metafile.outputs));
  outputs.names = { inputs: namesInputs() };
  writeFileSync(join(aside, "meta.json"), JSON.stringify({ outputs }));
  rmSync(dist, { recursive: true, force: true });
  renameSync(aside, dist);
}

function build(name, { own, splitting = false, format = "esm" }) {
  const contents = `export const english = ${ownPart(english, own)};`;
  return Bun.build({
    entrypoints: [join(sources, name)],
    root: sources,
    outdir: kept,
    splitting,
    // What an import loads is fetched before: src/web/api/parts.ts.
    modulePreload: false,
    minify: true,
    target: "browser",
    format,
    publicPath: "/static/web/",
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    metafile: true,
    tsconfig: join(sources, "tsconfig.json"),
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "texts",
        setup: (bundler) => bundler.onLoad({ filter: /language\/catalogue\.ts$/ }, () => ({ contents })),
      },
      {
        name: "turndown",
        setup: (bundler) => bundler.onLoad({ filter: /turndown\.browser\.\w+\.js$/ }, withoutParser),
      },
    ],
    throw: true,
  });
}

/**
 * Bun writes each rule with `:is` three times, twice in forms for browsers of before 2021. These are a fifth of our styles, and
 * `:-webkit-any(p, td)` outranks rules that win over `:is(p, td)`. Fails if a rule has no third form.
 */
function withoutOldForms(css, name) {
  return css.replace(/([^{};]*:-(?:webkit|moz)-any\([^{}]*)(\{[^{}]*\})/g, (rule, selector, body) => {
    const today = selector.replace(/:-(?:webkit|moz)-any\(/g, ":is(") + body;
    if (!css.includes(today)) throw new Error(`${name} has only an old form: ${rule}`);
    return "";
  });
}

/** Turndown tries out the browser's parser as soon as it is loaded, which the page's policy forbids. It gets elements from us. */
function withoutParser({ path }) {
  const code = readFileSync(path, "utf8");
  const contents = code.replace("canParseHTMLNatively() ? root.DOMParser : createHTMLParser()", "null");
  if (contents === code) throw new Error(`${path} parses HTML in another way than before`);
  return { contents, loader: "js" };
}

/** The texts that the client says; the others are those of the server's pages. */
function readOwnTexts() {
  // With what it shares with the server, which has texts of its own.
  const shared = [...new Bun.Glob("**/descriptions.ts").scanSync(join(root, "src"))].map((name) =>
    join(root, "src", name),
  );
  const code = [sources, language]
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .concat(shared)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith("catalogue.ts"))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const all = Object.values(areas).flatMap((area) => Object.keys(area));
  return new Set(all.filter((text) => code.includes(JSON.stringify(text))));
}

/** The part of a table of texts that the client says, as JavaScript. */
function ownPart(table, own) {
  return JSON.stringify(Object.fromEntries(Object.entries(table).filter(([text]) => own.has(text))));
}

/** Adds a script for each language, which sets its texts; returns the scripts' names by the language's tag. */
function languageTexts(own, files) {
  const others = languages.filter((one) => one !== inEnglish);
  const named = others.map((one) => {
    const { tag } = one;
    const script = Buffer.from(`globalThis.confabTexts=${ownPart(compileTable(loadTranslations(one)), own)}`);
    const name = hashed(`texts-${tag}.js`, script);
    files[name] = script;
    return [tag, name];
  });
  return Object.fromEntries(named);
}

/** Makes each `import(…)` a call of `confabImport`, with all files that it loads and the page has not: src/web/api/parts.ts. */
function withFilesOfImports(code, client, { script, preload }) {
  return code.replace(/\bimport\("\/static\/web\/([^"]+)"\)/g, (call, name) => {
    const all = [name, ...filesImportedBy(name, client)].filter(
      (file) => file !== script && !preload.includes(file),
    );
    const names = all.map((file) => basename(file, ".js")).join(" ");
    return `confabImport(${JSON.stringify(names)},()=>${call})`;
  });
}

/** The files that a file imports at once, and those that these import. */
function filesImportedBy(file, { metafile }) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, one]) => [basename(path), one]));
  const found = new Set();
  const follow = (name) => {
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      const to = basename(path);
      if (kind !== "import-statement" || found.has(to) || to === file) continue;
      found.add(to);
      follow(to);
    }
  };
  follow(file);
  return [...found];
}

/** What the page loads before anything else: the script, what it imports at once, and the style sheet. */
function entryOf(client) {
  const outputs = Object.entries(client.metafile.outputs).map(([path, one]) => [basename(path), one]);
  const [script, { cssBundle }] =
    outputs.find(
      ([, one]) => one.entryPoint?.endsWith("index.tsx") && one.imports && one.cssBundle !== undefined,
    ) ?? outputs.find(([name]) => /^index-.*\.js$/.test(name));
  return {
    script,
    preload: filesImportedBy(script, client),
    styles: cssBundle ? [basename(cssBundle)] : [],
  };
}

/** Icons and similar files, which pages name by what they are called in src/web/static. */
function otherFiles() {
  const folder = join(sources, "static");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);
}

/** The picker's data, under a folder of our own that changes with it: of all languages in English, and what the others call emoji. */
function emojiData(files) {
  const folder = packageFolder("emojibase-data");
  const base = [
    "emoji",
    versionOf(folder),
    ...annotations.map(({ name }) => versionOf(packageFolder(name))),
  ].join("-");
  for (const name of ["data.json", "messages.json"]) {
    files[`${base}/en/${name}`] = readFileSync(join(folder, "en", name));
  }
  for (const { tag } of languages.filter((one) => one !== inEnglish)) {
    files[`${base}/${tag}/names.json`] = Buffer.from(JSON.stringify(namesOfEmoji(tag)));
  }
  return base;
}

/** What a language calls emoji, by the code that messages use: the name, and then other words that find it. */
function namesOfEmoji(tag) {
  const names = {};
  const known = emojiNames();
  for (const path of annotationFiles(tag)) {
    const [{ annotations: all }] = Object.values(JSON.parse(readFileSync(path, "utf8")));
    for (const [characters, { tts = [], default: words = [] }] of Object.entries(all)) {
      const points = [...characters].map((one) => one.codePointAt(0).toString(16).padStart(4, "0"));
      const code = plainCode(points.join("-"));
      if (known.has(code) && tts.length > 0) names[code] = [...new Set([...tts, ...words])];
    }
  }
  return names;
}

function annotationFiles(tag) {
  return annotations.map(({ name, folder }) => join(packageFolder(name), folder, tag, "annotations.json"));
}

/** The files that the names of emoji are from, for the notices and for what is stale. */
function namesInputs() {
  const paths = languages.filter((one) => one !== inEnglish).flatMap(({ tag }) => annotationFiles(tag));
  return Object.fromEntries(
    paths.map((path) => [relative(root, path), { bytesInOutput: statSync(path).size }]),
  );
}

function packageFolder(name) {
  return join(root, "node_modules", name);
}

function versionOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}

function hashed(name, bytes) {
  const extension = extname(name);
  const hash = Bun.hash(bytes).toString(36).padStart(8, "0").slice(-8);
  return `${basename(name, extension)}-${hash}${extension}`;
}

/** Formats that are compressed already stay as they are. */
function isCompressed(name) {
  return /\.(png|webp|woff2?|jpg)$/.test(name);
}

function store(name, bytes) {
  const path = join(kept, name);
  mkdirSync(join(path, ".."), { recursive: true });
  if (isCompressed(name)) return writeFileSync(path, bytes);
  const quality = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, quality));
  writeFileSync(`${path}.zst`, Bun.zstdCompressSync(bytes, { level: 19 }));
  writeFileSync(`${path}.gz`, Bun.gzipSync(bytes, { level: 9 }));
  rmSync(path, { force: true });
}

/** A module that imports every file, so that Bun embeds it, and says which is which. */
function moduleText(parts, files) {
  const imports = [];
  const rows = Object.keys(files).map((name) => {
    const forms = isCompressed(name) ? { identity: "" } : { br: ".br", zstd: ".zst", gzip: ".gz" };
    const named = Object.entries(forms).map(([encoding, suffix]) => {
      const variable = `f${imports.length}`;
      imports.push(
        `import ${variable} from ${JSON.stringify(`./files/${name}${suffix}`)} with { type: "file" };`,
      );
      return `${encoding}: ${variable}`;
    });
    return `  ${JSON.stringify(name)}: { ${named.join(", ")} },`;
  });
  return `// Made by .ci/web.mjs.\n${imports.join("\n")}\n\nexport default {\n  ...${JSON.stringify(parts)},\n  files: {\n${rows.join("\n")}\n  },\n};\n`;
}

/** Whether nothing has changed that went into what is there. */
function isFresh() {
  if (!existsSync(list)) return false;
  const made = statSync(list).mtimeMs;
  const { outputs } = JSON.parse(readFileSync(meta, "utf8"));
  const inputs = new Set(Object.values(outputs).flatMap((one) => Object.keys(one.inputs)));
  const own = readdirSync(sources, { recursive: true }).map((name) => join(sources, name));
  const all = [
    ...own,
    ...[...inputs].map((path) => join(root, path)),
    ...readdirSync(language).map((name) => join(language, name)),
    ...readdirSync(emoji).map((name) => join(emoji, name)),
    join(root, "package-lock.json"),
    join(root, ".ci", "web.mjs"),
  ];
  return all.every(
    (path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) <= made,
  );
}
