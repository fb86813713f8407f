// Gets programs of Debian's packages that tests need, without installing them.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Debian's releases in order: a package that is too old in one may be new enough in the next. */
const releases = ["bookworm", "trixie", "forky", "duke"];
const kept = fileURLToPath(new URL("../dist", import.meta.url));

/** Where a program is kept once it was fetched. */
export const keptAt = (name) => join(kept, name);

/**
 * Downloads a package with the machine's own sources and keys, and keeps its programs, given by their paths in the package,
 * in dist/ if `isRight` accepts the first, by default under their own names. False if no release has one that it accepts.
 */
export function fetchPrograms(name, programs, isRight, nameOf = basename) {
  return inFolder((folder) => {
    const unpackFrom = (suite) => {
      try {
        return unpack(folder, { name, suite });
      } catch {
        return null;
      }
    };
    for (const suite of releases) {
      const found = unpackFrom(suite);
      if (!found) continue;
      const unpacked = programs.map((path) => join(found.folder, path));
      if (!isRight(unpacked[0])) continue;
      mkdirSync(kept, { recursive: true });
      for (const path of unpacked) keep(path, keptAt(nameOf(path)));
      return true;
    }
    return false;
  });
}

/**
 * Downloads the package that a release of Debian has for an architecture, such as arm64, and returns what `use` makes of the folder
 * with its files and of its fields, such as Version. Throws with what apt-get said if it gets none.
 */
export function withPackage({ name, suite, architecture }, use) {
  return inFolder((folder) => use(unpack(folder, { name, suite, architecture })));
}

function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "confab-debian-"));
  try {
    for (const path of ["sources", "lists/partial", "cache/archives/partial"]) {
      mkdirSync(join(folder, path), { recursive: true });
    }
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By default, for this machine's architecture. Throws if that release has none. */
function unpack(folder, { name, suite, architecture }) {
  writeFileSync(join(folder, "sources", "debian.sources"), sourceOf(suite));
  const how = [
    "-qq",
    ...["-o", "Dir::Etc::sourcelist=/dev/null", "-o", `Dir::Etc::sourceparts=${folder}/sources`],
    ...["-o", `Dir::State::Lists=${folder}/lists`, "-o", `Dir::Cache=${folder}/cache`],
    ...["-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User=root"],
    ...["-o", "Acquire::http::Timeout=15", "-o", "Acquire::Retries=0"],
    ...(architecture === undefined ? [] : ["-o", `APT::Architectures::=${architecture}`]),
  ];
  // A request that gets no answer ends earlier.
  const quiet = { cwd: folder, stdio: ["ignore", "ignore", "pipe"], timeout: 300_000 };
  execFileSync("apt-get", [...how, "update"], quiet);
  const asked = architecture === undefined ? name : `${name}:${architecture}`;
  execFileSync("apt-get", [...how, "download", asked], quiet);
  const archive = readdirSync(folder).find((file) => file.endsWith(".deb"));
  if (!archive) throw new Error(`apt-get got no package ${asked} of Debian ${suite}.`);
  const unpacked = join(folder, "unpacked");
  execFileSync("dpkg-deb", ["-x", archive, "unpacked"], quiet);
  const text = execFileSync("dpkg-deb", ["-f", archive], { cwd: folder, encoding: "utf8" });
  const fields = Object.fromEntries(
    [...text.matchAll(/^([\w-]+): (.*)$/gm)].map(([, field, value]) => [field, value]),
  );
  rmSync(join(folder, archive));
  return { folder: unpacked, fields };
}

/** Copies under another name first: two runs may do this at once. */
function keep(path, target) {
  execFileSync("cp", [path, `${target}.${process.pid}`]);
  renameSync(`${target}.${process.pid}`, target);
}

/** The first Debian source of this machine, for another release. */
function sourceOf(suite) {
  const path = "/etc/apt/sources.list.d/debian.sources";
  const paragraph = existsSync(path) ? readFileSync(path, "utf8").split(/\n\s*\n/)[0] : null;
  const standard =
    "Types: deb\nURIs: http://deb.debian.org/debian\nSuites: any\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n";
  return `${(paragraph ?? standard).replace(/^Suites:.*$/m, `Suites: ${suite}`).trim()}\n`;
}

/**
 * Prints the paths of the programs of a Debian package, a line each: from one of these folders, or fetched. `question` is an argument with
 * which each ends well. Ends the process with an error that says why there are none.
 */
export function printPrograms({ packageName, names, folders, question }) {
  const kept = dirname(keptAt(packageName));
  const runs = (path) => {
    try {
      execFileSync(path, [question], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  };
  const found = [...folders, kept].find((folder) => names.every((name) => runs(join(folder, name))));
  try {
    const programs = names.map((name) => `usr/bin/${name}`);
    if (!found && !fetchPrograms(packageName, programs, runs))
      throw new Error(`Debian's package ${packageName} is not here, and apt-get found none`);
    console.log(names.map((name) => join(found ?? kept, name)).join("\n"));
  } catch (error) {
    console.error(error.message.split("\n")[0]);
    process.exit(1);
  }
}
