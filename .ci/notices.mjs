// The notices of the packages in a bundle, which their licences ask for: node .ci/notices.mjs METAFILE OUT [ROOT] writes
// OUT/THIRD-PARTY.txt, OUT/sbom.cdx.json and OUT/third-party.json (what the executable holds of them), and fails where a
// package has a licence that is not allowed, or no notice. Packages and versions are those of ROOT's package-lock.json.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** By their SPDX identifiers: licences that ask for no more than their notice and, one of them, where the source is. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

const here = dirname(fileURLToPath(import.meta.url));
const [metafile = "", out = "", root = join(here, "..")] = process.argv.slice(2);
const lock = readJson(join(root, "package-lock.json")).packages;
const own = lock[""];
const faults = [];
const found = bundledPaths(readJson(metafile)).map(describe);
/** A version that lies at several paths is one package. */
const packages = [...new Map(found.map((one) => [purlOf(one), one])).values()].sort((a, b) =>
  a.name < b.name ? -1 : 1,
);
const runtime = describeRuntime();
if (faults.length > 0) {
  for (const fault of faults) console.error(`notices: ${fault}`);
  process.exit(1);
}

const text = noticeText();
const components = [runtime, ...packages].map(({ name, version, license }) => ({ name, version, license }));
mkdirSync(out, { recursive: true });
writeChanged("THIRD-PARTY.txt", text);
writeChanged("sbom.cdx.json", `${JSON.stringify(sbom(), null, 2)}\n`);
writeChanged("third-party.json", `${JSON.stringify({ text, components })}\n`);

/** The lockfile's paths of packages of which something is in the bundle. */
function bundledPaths({ outputs }) {
  const paths = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, found] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
      if (found && bytesInOutput > 0) paths.add(found.slice(found.indexOf("node_modules/")));
    }
  }
  return [...paths].sort();
}

function describe(path) {
  const folder = join(root, path);
  const { name, license = "none", repository } = readJson(join(folder, "package.json"));
  const { version, integrity } = lock[path] ?? {};
  if (!version) faults.push(`${path} is not in package-lock.json.`);
  if (!isAllowed(license))
    faults.push(`${name} ${version} has a licence that is not allowed: ${JSON.stringify(license)}.`);
  const notice = noticeOf(folder, name) + (license === "MPL-2.0" ? sourceOf(repository) : "");
  return { path, name, version, license, integrity, notice };
}

/** What the Mozilla licence asks for beside its text; the files are in Confab as they are there. */
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
  const line = "-".repeat(80);
  const list = packages.map(({ name, version, license }) => `    ${name} ${version} (${license})`);
  const parts = runtime.contains.map(([name, license, url]) => `    ${name}: ${license}\n        ${url}`);
  return `${[
    `Confab ${own.version} contains the work of others. This is what their licences ask to be told.`,
    list.join("\n"),
    `${line}\nBun ${runtime.version} (${runtime.license}), https://bun.com`,
    wrapped(`Bun runs Confab and is part of its executable. It contains, by ${runtime.source}:`),
    parts.join("\n"),
    wrapped(runtime.relinking),
    ...packages.map(
      ({ name, version, license, notice }) => `${line}\n${name} ${version} (${license})\n\n${notice}`,
    ),
  ].join("\n\n")}\n`;
}

function wrapped(text) {
  return text.replaceAll(/(.{1,100})( |$)/g, "$1\n").trimEnd();
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
        components: runtime.contains.map(([name, license, url]) => ({
          type: "library",
          name,
          licenses: [{ license: { name: license } }],
          externalReferences: [{ type: "website", url }],
        })),
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
  };
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** What a package asks for, as Node finds it: within the package first, then beside it and above. */
function dependenciesOf(path, refs) {
  const { dependencies = {}, optionalDependencies = {} } = lock[path];
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => {
      let folder = path;
      while (folder !== "" && !refs.has(`${folder}/node_modules/${name}`)) {
        folder = folder.includes("/node_modules/")
          ? folder.slice(0, folder.lastIndexOf("/node_modules/"))
          : "";
      }
      return refs.get(folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`);
    })
    .filter((ref) => ref !== undefined);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Leaves the time of a file alone that says the same already, so that nothing is built again for it. */
function writeChanged(name, content) {
  const path = join(out, name);
  if (!existsSync(path) || readFileSync(path, "utf8") !== content) writeFileSync(path, content);
}
