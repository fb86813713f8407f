// The notices of the packages in a bundle, which their licences ask for: node .ci/notices.mjs METAFILE OUT [ROOT] writes
// OUT/THIRD-PARTY.txt, OUT/sbom.cdx.json and OUT/third-party.json (what the executable holds of them), and fails where a
// package has a licence that is not allowed, or no notice. Packages and versions are those of ROOT's package-lock.json.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { line, partComponent, partText, textsOf, wrapped } from "./notice-parts.mjs";

/** By their SPDX identifiers: licences that ask for no more than their notice and, one of them, where the source is. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Python-2.0",
  "Unicode-3.0",
  "Unlicense",
  "Zlib",
]);

const here = dirname(fileURLToPath(import.meta.url));
const [metafile = "", out = "", root = join(here, "..")] = process.argv.slice(2);
const lock = readJson(join(root, "package-lock.json")).packages;
const own = lock[""];
/** By package: what its files hold of others, of which its own notice does not speak. */
const partsOf = readJson(join(here, "notices", "parts.json"));
const faults = [];
const found = [...bundledFiles(readJson(metafile))].sort(([a], [b]) => (a < b ? -1 : 1)).map(describe);
/** A version that lies at several paths is one package. */
const packages = [...new Map(found.map((one) => [purlOf(one), one])).values()].sort((a, b) =>
  a.name < b.name ? -1 : 1,
);
const runtime = describeRuntime();
const text = noticeText();
if (faults.length > 0) {
  for (const fault of faults) console.error(`notices: ${fault}`);
  process.exit(1);
}

const components = [runtime, ...packages].map(({ name, version, license }) => ({ name, version, license }));
mkdirSync(out, { recursive: true });
writeChanged("THIRD-PARTY.txt", text);
writeChanged("sbom.cdx.json", `${JSON.stringify(sbom(), null, 2)}\n`);
writeChanged("third-party.json", `${JSON.stringify({ text, components })}\n`);

/** The files in the bundle, by the lockfile's path of their package. */
function bundledFiles({ outputs }) {
  const files = new Map();
  const add = (path, file) => files.set(path, [...(files.get(path) ?? []), ...(file ? [file] : [])]);
  for (const { inputs } of Object.values(outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const [, found] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
      if (!found || bytesInOutput === 0) continue;
      const start = found.indexOf("node_modules/");
      const path = found.slice(start);
      add(path, join(root, input.slice(start)));
      for (const name of mergedInto(join(root, input.slice(start)))) {
        const merged = pathOf(name, path, (place) => place in lock);
        if (merged) add(merged);
        else faults.push(`${input} contains ${name}, which is not in package-lock.json.`);
      }
    }
  }
  return files;
}

/** The packages that the authors of a file have bundled into it, as its source map tells. */
function mergedInto(file) {
  const { sources = [] } = existsSync(`${file}.map`) ? readJson(`${file}.map`) : {};
  return new Set(sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []));
}

function describe([path, files]) {
  const folder = join(root, path);
  const { name, license = "none", repository } = readJson(join(folder, "package.json"));
  const { version, integrity } = lock[path] ?? {};
  if (!version) faults.push(`${path} is not in package-lock.json.`);
  if (!isAllowed(license))
    faults.push(`${name} ${version} has a licence that is not allowed: ${JSON.stringify(license)}.`);
  const parts = partsOf[name] ?? [];
  for (const part of parts) {
    if (!isAllowed(part.license)) faults.push(`${part.name} in ${name} has a licence that is not allowed.`);
  }
  const text = noticeOf(folder, name);
  const notice = [
    text + (license === "MPL-2.0" ? sourceOf(repository) : ""),
    ...holdersIn(files, text + JSON.stringify(parts)),
    ...(parts.length > 0 ? ["It contains, too:", ...parts.map((part) => partText(part, faults))] : []),
  ].join("\n\n");
  return { path, name, version, license, integrity, notice, parts };
}

/** The copyright lines in the comments of files whose holders the package's notice does not name. */
function holdersIn(files, notice) {
  const bare = (text) => text.toLowerCase().replaceAll(/[^\p{L}]+/gu, "");
  const known = bare(notice);
  const found = new Map();
  for (const file of files.filter((path) => /\.([cm]?js|css)$/.test(path) && existsSync(path))) {
    for (const [, line] of readFileSync(file, "utf8").matchAll(
      /^[ \t]*(?:\/\/|\/?\*+)!?[ \t]*(Copyright [^\n]{0,200}\d{4}[^\n]{3,200})$/gm,
    )) {
      const holder = bare(line);
      if (!known.includes(holder) && !found.has(holder))
        found.set(holder, line.replace(/\W*\*\/$/, "").trim());
    }
  }
  return found.size > 0 ? [`Its files also say:\n\n${[...found.values()].join("\n")}`] : [];
}

/** What the Mozilla licence asks for besides its text; the files are in Confab as they are there. */
function sourceOf(repository) {
  const url = (repository?.url ?? repository ?? "").replace(/^git\+/, "");
  return `\n\nIts source is at ${url}.`;
}

/** Of an expression with OR one licence must be allowed, with AND all. */
function isAllowed(license) {
  if (typeof license !== "string") return false;
  const text = license.replace(/^\((.*)\)$/, "$1");
  if (text.includes("(")) return false;
  return text.split(" OR ").some((one) => one.split(" AND ").every((id) => allowed.has(id.trim())));
}

function noticeOf(folder, name) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(file));
  const kept = join(here, "notices", `${name.replace("/", "__")}.txt`);
  const paths = files.length > 0 ? files.sort().map((file) => join(folder, file)) : [kept];
  if (!paths.every((path) => existsSync(path))) {
    faults.push(`${name} has no file with its notice: put what its repository says into .ci/notices/.`);
    return "";
  }
  return paths.map((path) => readFileSync(path, "utf8").replaceAll("\r\n", "\n").trim()).join("\n\n");
}

/** Bun itself, which npm's package tells nothing of. */
function describeRuntime() {
  const known = readJson(join(here, "notices", "bun.json"));
  const { version, integrity } = lock["node_modules/bun"] ?? {};
  if (version !== undefined && version !== known.version) {
    faults.push(
      `.ci/notices/bun.json is of Bun ${known.version}, not ${version}: read ${known.source} again.`,
    );
  }
  return { ...known, name: "bun", integrity };
}

function noticeText() {
  const list = packages.map(({ name, version, license }) => `    ${name} ${version} (${license})`);
  const parts = [...runtime.contains, ...packages.flatMap((one) => one.parts)];
  return `${[
    `Confab ${own.version} contains the work of others. This is what their licences ask to be told.`,
    list.join("\n"),
    `${line}\nBun ${runtime.version} (${runtime.license}), https://bun.com`,
    wrapped(`Bun runs Confab and is part of its executable. It contains, by ${runtime.source}:`),
    runtime.contains.map((part) => partText(part, faults)).join("\n"),
    wrapped(runtime.relinking),
    ...packages.map(
      ({ name, version, license, notice }) => `${line}\n${name} ${version} (${license})\n\n${notice}`,
    ),
    ...textsOf(parts),
  ].join("\n\n")}\n`;
}

/** CycloneDX 1.6. */
function sbom() {
  const refs = new Map(found.map((one) => [one.path, purlOf(one)]));
  const application = `${own.name}@${own.version}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": application,
        name: own.name,
        version: own.version,
        licenses: [{ license: { id: own.license } }],
      },
    },
    components: [
      {
        ...componentOf(runtime, "platform"),
        components: runtime.contains.map(partComponent),
      },
      ...packages.map((one) => componentOf(one, "library")),
    ],
    dependencies: [
      { ref: application, dependsOn: [purlOf(runtime), ...dependenciesOf("", refs)] },
      ...packages.map(({ path }) => ({ ref: refs.get(path), dependsOn: dependenciesOf(path, refs) })),
    ],
  };
}

function componentOf(one, type) {
  const [group, name] = one.name.startsWith("@") ? one.name.split("/") : [undefined, one.name];
  const isExpression = / (OR|AND) /.test(one.license);
  const hash = /^sha512-(.+)$/.exec(one.integrity ?? "")?.[1];
  return {
    type,
    "bom-ref": purlOf(one),
    ...(group ? { group } : {}),
    name,
    version: one.version,
    purl: purlOf(one),
    licenses: [isExpression ? { expression: one.license } : { license: { id: one.license } }],
    ...(hash ? { hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }] } : {}),
    ...(one.parts?.length > 0 ? { components: one.parts.map(partComponent) } : {}),
  };
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function dependenciesOf(path, refs) {
  const { dependencies = {}, optionalDependencies = {} } = lock[path];
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => refs.get(pathOf(name, path, (place) => refs.has(place))))
    .filter((ref) => ref !== undefined);
}

/** Where a package finds another, as Node looks for it: within the package first, then next to it and above. */
function pathOf(name, from, isThere) {
  const folders = [];
  for (let at = from; at !== ""; at = at.slice(0, Math.max(at.lastIndexOf("/node_modules/"), 0))) {
    folders.push(`${at}/`);
  }
  return [...folders, ""].map((folder) => `${folder}node_modules/${name}`).find(isThere);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Leaves the time of a file alone that says the same already, so that nothing is built again for it. */
function writeChanged(name, content) {
  const path = join(out, name);
  if (!existsSync(path) || readFileSync(path, "utf8") !== content) writeFileSync(path, content);
}
