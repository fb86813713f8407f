// Finds a nats-server for `npm run test:cluster`, or gets one: `node .ci/nats.mjs` prints its path, or says why there is none.
import { execFileSync } from "node:child_process";
import { fetchPrograms, keptAt } from "./debian.mjs";

/** Older ones lose acknowledged messages in known ways. */
const oldest = [2, 10, 23];
const kept = keptAt("nats-server");

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

function fetched() {
  if (fetchPrograms("nats-server", ["usr/sbin/nats-server"], isNew)) return kept;
  throw new Error(`no nats-server of ${oldest.join(".")} or newer is here, and apt-get found none`);
}
