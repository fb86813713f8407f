// Finds a nats-server for `npm run test:cluster`, or gets one: `node .ci/nats.mjs` prints its path, or says why there is none.
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
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Older ones lose acknowledged messages in known ways. */
const oldest = [2, 10, 23];
/** Debian's releases in order: a package that is too old in one may be new enough in the next. */
const releases = ["bookworm", "trixie", "forky", "duke"];
const kept = fileURLToPath(new URL("../dist/nats-server", import.meta.url));

const found = [process.env.NATS_SERVER, "nats-server", "/usr/sbin/nats-server", kept].find(
  (path) => path && isNew(path),
);
try {
  console.log(found ?? fetched());
} catch (error) {
  console.error(error.message.split("\n")[0]);
  process.exit(1);
}

function isNew(path) {
  try {
    const said = execFileSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const version = /v(\d+)\.(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number) ?? [0, 0, 0];
    const differs = version.findIndex((part, at) => part !== oldest[at]);
    return differs < 0 || version[differs] > oldest[differs];
  } catch {
    return false;
  }
}

/** Downloads Debian's package with the machine's own sources and keys, and unpacks it; installs nothing. */
function fetched() {
  const folder = mkdtempSync(join(tmpdir(), "confab-nats-"));
  try {
    for (const name of ["sources", "lists/partial", "cache/archives/partial"]) {
      mkdirSync(join(folder, name), { recursive: true });
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
        execFileSync("apt-get", [...how, "download", "nats-server"], quiet);
      } catch {
        continue;
      }
      const archive = readdirSync(folder).find((name) => name.endsWith(".deb"));
      if (!archive) continue;
      execFileSync("dpkg-deb", ["-x", archive, "unpacked"], quiet);
      rmSync(join(folder, archive));
      const server = join(folder, "unpacked", "usr", "sbin", "nats-server");
      if (!isNew(server)) continue;
      mkdirSync(join(kept, ".."), { recursive: true });
      // Copied under another name first: two runs may do this at once.
      execFileSync("cp", [server, `${kept}.${process.pid}`]);
      renameSync(`${kept}.${process.pid}`, kept);
      return kept;
    }
    throw new Error(`no nats-server of ${oldest.join(".")} or newer is here, and apt-get found none`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first Debian source of this machine, for another release. */
function sourceOf(suite) {
  const path = "/etc/apt/sources.list.d/debian.sources";
  const paragraph = existsSync(path) ? readFileSync(path, "utf8").split(/\n\s*\n/)[0] : null;
  const standard =
    "Types: deb\nURIs: http://deb.debian.org/debian\nSuites: any\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n";
  return `${(paragraph ?? standard).replace(/^Suites:.*$/m, `Suites: ${suite}`).trim()}\n`;
}
