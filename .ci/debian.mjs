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
  const folder = mkdtempSync(join(tmpdir(), `confab-${name}-`));
  try {
    for (const path of ["sources", "lists/partial", "cache/archives/partial"]) {
      mkdirSync(join(folder, path), { recursive: true });
    }
    for (const suite of releases) {
      writeFileSync(join(folder, "sources", "debian.sources"), sourceOf(suite));
      const how = [
        "-qq",
        ...["-o", "Dir::Etc::sourcelist=/dev/null", "-o", `Dir::Etc::sourceparts=${folder}/sources`],
        ...["-o", `Dir::State::Lists=${folder}/lists`, "-o", `Dir::Cache=${folder}/cache`],
        ...["-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User=root"],
        ...["-o", "Acquire::http::Timeout=15", "-o", "Acquire::Retries=0"],
      ];
      const quiet = { cwd: folder, stdio: "ignore", timeout: 60_000 };
      try {
        execFileSync("apt-get", [...how, "update"], quiet);
        execFileSync("apt-get", [...how, "download", name], quiet);
      } catch {
        continue;
      }
      const archive = readdirSync(folder).find((file) => file.endsWith(".deb"));
      if (!archive) continue;
      execFileSync("dpkg-deb", ["-x", archive, "unpacked"], quiet);
      rmSync(join(folder, archive));
      const unpacked = programs.map((path) => join(folder, "unpacked", path));
      if (!isRight(unpacked[0])) continue;
      mkdirSync(kept, { recursive: true });
      for (const path of unpacked) keep(path, keptAt(nameOf(path)));
      return true;
    }
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
