// Finds a nats-server for `npm run test:cluster`, or gets one: `node .ci/nats.mjs` prints its path, or says why there is none.
// CONFAB_NATS=2.15 asks for that version or a newer one.
import { execFileSync } from "node:child_process";
import { fetchPrograms, keptAt } from "./debian.mjs";

const asked = process.env.CONFAB_NATS;
/** Those before 2.10.23 lose acknowledged messages in known ways. */
const oldest = asked ? asked.split(".").map(Number) : [2, 10, 23];
const program = asked ? `nats-server-${oldest.join(".")}` : "nats-server";
const kept = keptAt(program);

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
    const differs = oldest.findIndex((part, at) => part !== version[at]);
    return differs < 0 || version[differs] > oldest[differs];
  } catch {
    return false;
  }
}

function fetched() {
  if (fetchPrograms("nats-server", ["usr/sbin/nats-server"], isNew, () => program)) return kept;
  throw new Error(`no nats-server of ${oldest.join(".")} or newer is here, and apt-get found none`);
}
