// Finds Pebble, a certificate authority for tests, for `npm run test:acme`, or gets it: `node .ci/pebble.mjs` prints the paths of pebble
// and of pebble-challtestsrv, or says why there are none.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fetchPrograms, keptAt } from "./debian.mjs";

const names = ["pebble", "pebble-challtestsrv"];
const folders = ["/usr/bin", "/usr/local/bin", dirname(keptAt("pebble"))];
const found = folders.find((folder) => names.every((name) => runs(join(folder, name))));
try {
  console.log(names.map((name) => join(found ?? fetched(), name)).join("\n"));
} catch (error) {
  console.error(error.message.split("\n")[0]);
  process.exit(1);
}

function runs(path) {
  try {
    execFileSync(path, ["-help"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function fetched() {
  const programs = names.map((name) => `usr/bin/${name}`);
  if (fetchPrograms("pebble", programs, runs)) return dirname(keptAt("pebble"));
  throw new Error("Pebble is not here, and apt-get found none");
}
