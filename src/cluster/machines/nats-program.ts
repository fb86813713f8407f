// Finds the nats-server that Confab runs, and writes its configuration.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writePrivately } from "@/operations/data-folder/host.ts";
import { checkVersion } from "../examination/nats-check.ts";
import { files, folderOf, inUrl, ownMachine, ports, type Seat } from "./seat.ts";

const program = "nats-server";

/**
 * The path of a nats-server that is new enough: the named one, or else the first that is next to this program, in PATH or where Debian
 * has it. Throws with the reason if no fit one is found.
 */
export function findNatsServer(named: string | undefined, folder = dirname(process.execPath)): string {
  const next = [program, ...releasedIn(folder)].map((name) => join(folder, name));
  const places = [...next, Bun.which(program) ?? "", `/usr/sbin/${program}`];
  const found = named === undefined ? places.filter((path) => path !== "" && existsSync(path)) : [named];
  const faults = found.map(faultOf);
  const fit = found.find((_, at) => faults[at] === null);
  if (fit !== undefined) return fit;
  throw new Error(
    faults[0] ??
      "There is no nats-server next to this program or in PATH. A release of Confab for Linux has one; Debian has it from release 13 on, and " +
        "https://nats.io/download for others. Or name its path with --nats-server.",
  );
}

/** Those for this machine by the names that they have in a release, the newest first. */
function releasedIn(folder: string): string[] {
  const platform = `linux-${process.arch}`;
  const found = existsSync(folder) ? readdirSync(folder) : [];
  return found
    .filter((name) => name.startsWith(`${program}-`) && name.endsWith(`-${platform}`))
    .toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }));
}

function faultOf(path: string): string | null {
  try {
    const { stdout } = Bun.spawnSync([path, "--version"]);
    const version = /v(\d+\.\d+\.\d+)/.exec(stdout.toString())?.[1];
    if (version === undefined) return `${path} is no nats-server: it does not say its version.`;
    checkVersion(path, version);
    return null;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return code === "EACCES" ? `${path} may not be run: make it executable with 'chmod +x'.` : message;
  }
}

export const configurationFile = "nats.conf";
export const logFile = "nats.log";
/** It starts another file then, and keeps one former. */
const maxLogBytes = 4_000_000;

/** Writes the configuration of a machine's nats-server, which follows from its seat. Returns whether it was another one before. */
export function configure(dataDir: string, seat: Seat): boolean {
  const path = join(folderOf(dataDir), configurationFile);
  const text = configurationOf(dataDir, seat);
  if (existsSync(path) && readFileSync(path, "utf8") === text) return false;
  writePrivately(path, text);
  return true;
}

/** Paths and passwords are JSON strings, which nats-server reads. */
function configurationOf(dataDir: string, seat: Seat): string {
  const { name, address } = ownMachine(seat);
  const at = (file: string) => JSON.stringify(join(folderOf(dataDir), file));
  const listen = (port: number) => `"${inUrl(address)}:${port}"`;
  const tls = `cert_file: ${at(files.cert)}, key_file: ${at(files.key)}, ca_file: ${at(files.ca)}`;
  const routes = seat.machines.map((one) => `"tls://${inUrl(one.address)}:${ports.routes}"`);
  return [
    "# Written by Confab whenever it starts this nats-server: changes get lost.",
    `server_name: ${JSON.stringify(name)}`,
    `listen: ${listen(ports.nats)}`,
    `https: ${listen(ports.monitor)}`,
    // Not by a pipe to us, which would end it at its next line once we are gone.
    `log_file: ${at(logFile)}, logfile_size_limit: ${maxLogBytes}, logfile_max_num: 2`,
    "max_payload: 8MB",
    "max_connections: 1000",
    // It tries each second to reach a server that is away.
    "reconnect_error_reports: 600",
    // Streams are on disk: this is for nothing but NATS' own consumers.
    `jetstream { store_dir: ${at("store")}, sync_interval: always, max_memory_store: 64MB }`,
    `tls { ${tls}, timeout: 5 }`,
    "accounts {",
    `  CONFAB { jetstream: enabled, users: [{ user: confab, password: ${JSON.stringify(seat.nats_password)} }] }`,
    `  SYS { users: [{ user: system, password: ${JSON.stringify(seat.system_password)} }] }`,
    "}",
    "system_account: SYS",
    `cluster { name: ${JSON.stringify(seat.cluster)}, listen: ${listen(ports.routes)}, no_advertise: true,`,
    `  routes: [${routes.join(", ")}],`,
    // Each side of a route shows a certificate of the cluster's authority.
    `  tls { ${tls}, verify: true, timeout: 5 } }`,
    "",
  ].join("\n");
}
