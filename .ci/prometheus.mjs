// Finds Prometheus for `npm run test:monitoring`, or gets it: `node .ci/prometheus.mjs` prints the paths of prometheus and of
// promtool, or says why there are none. PROMETHEUS names the folder of others.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fetchPrograms, keptAt } from "./debian.mjs";

const names = ["prometheus", "promtool"];
const folders = [process.env.PROMETHEUS, "/usr/bin", "/usr/local/bin", dirname(keptAt("prometheus"))];
const found = folders.find((folder) => folder && names.every((name) => runs(join(folder, name))));
try {
  console.log(names.map((name) => join(found ?? fetched(), name)).join("\n"));
} catch (error) {
  console.error(error.message.split("\n")[0]);
  process.exit(1);
}

function runs(path) {
  try {
    execFileSync(path, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function fetched() {
  const programs = names.map((name) => `usr/bin/${name}`);
  if (fetchPrograms("prometheus", programs, runs)) return dirname(keptAt("prometheus"));
  throw new Error("Prometheus is not here, and apt-get found none");
}
