// What a machine knows of a cluster for which Confab runs the nats-servers: its own place there, the other machines, and the secrets.
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivately } from "@/operations/data-folder/host.ts";

/** How many machines a cluster has; each holds a copy of the log. */
export const seats = 3;
/** Where each machine listens for the others: requests of machines and nodes, clients of NATS, its routes, its monitoring. */
export const ports = { machines: 9901, nats: 9902, routes: 9903, monitor: 9904 } as const;

export const machineShape = z.object({
  name: z.string(),
  address: z.string(),
  /** Whether it runs a nats-server alone. */
  is_witness: z.boolean(),
});
export type Machine = z.infer<typeof machineShape>;

const tokenShape = z.object({
  /** SHA-256 of the secret part, in hex. */
  hash: z.string(),
  /** In milliseconds since 1970. */
  until: z.number(),
  /** How many machines may still join with it. */
  places: z.int(),
  /** The machine whose place is taken with it; null if new ones join. */
  replaces: z.string().nullable(),
});

/** What a machine that joins is given, besides the files. */
export const sharedShape = z.object({
  cluster: z.string(),
  /** Known to the machines alone. */
  secret: z.string(),
  /** The passwords at the nats-servers: of the nodes, and of the account that may remove a server. */
  nats_password: z.string(),
  system_password: z.string(),
  /** The machine where the cluster began. */
  founder: z.string(),
  /** Settings of all nodes: the store for files. */
  settings: z.record(z.string(), z.string()),
});

const seatShape = sharedShape.extend({
  name: z.string(),
  machines: z.array(machineShape),
  /** Whether the log has begun. */
  has_begun: z.boolean(),
  tokens: z.array(tokenShape),
});
export type Seat = z.infer<typeof seatShape>;

export const folderOf = (dataDir: string) => join(dataDir, "nats");

/** The files of a seat in its folder. The authority's key is only at nodes. */
export const files = {
  seat: "machine.json",
  ca: "ca.pem",
  caKey: "ca-key.pem",
  cert: "cert.pem",
  key: "key.pem",
  s3: "s3-credentials",
} as const;

/** Null where Confab runs no nats-server for a data folder. */
export function seatIn(dataDir: string): Seat | null {
  const path = join(folderOf(dataDir), files.seat);
  return existsSync(path) ? seatShape.parse(JSON.parse(readFileSync(path, "utf8"))) : null;
}

export function writeSeat(dataDir: string, seat: Seat): void {
  writePrivately(join(folderOf(dataDir), files.seat), `${JSON.stringify(seat, null, 2)}\n`);
}

/** The folder is no machine's any more; its nats-server may still run. */
export function leaveSeat(dataDir: string): void {
  rmSync(join(folderOf(dataDir), files.seat), { force: true });
}

export function ownMachine({ name, machines }: Pick<Seat, "name" | "machines">): Machine {
  const own = machines.find((one) => one.name === name);
  if (!own) throw new Error(`${name} is no machine of the cluster any more`);
  return own;
}

export const inUrl = (address: string) => (address.includes(":") ? `[${address}]` : address);

export const machinesUrl = (address: string) => `https://${inUrl(address)}:${ports.machines}`;

export const monitorOf = ({ address }: Machine) => `https://${inUrl(address)}:${ports.monitor}`;

/** The monitoring addresses of the nats-servers. */
export const monitorsOf = ({ machines }: Pick<Seat, "machines">): string[] => machines.map(monitorOf);

/** When the first certificate of a machine ends, in UNIX seconds; null where Confab runs no nats-server. */
export function certificateEndOf(dataDir: string): number | null {
  if (!seatIn(dataDir)) return null;
  const ends = [files.ca, files.cert].map((name) => {
    const { validTo } = new X509Certificate(readFileSync(join(folderOf(dataDir), name)));
    return Math.floor(Date.parse(validTo) / 1_000);
  });
  return Math.min(...ends);
}

/** The settings of a node that follow from its seat, as confab.toml would have them; none for a witness. */
export function settingsOfSeat(dataDir: string): Record<string, string> {
  const seat = seatIn(dataDir);
  if (!seat) return {};
  const own = ownMachine(seat);
  if (own.is_witness) return {};
  const at = (name: string) => join(folderOf(dataDir), name);
  const login = `confab:${seat.nats_password}@`;
  return {
    ...seat.settings,
    ...(existsSync(at(files.s3)) ? { s3_credentials: at(files.s3) } : {}),
    host: own.address,
    cluster: seat.machines.map(({ address }) => `tls://${login}${inUrl(address)}:${ports.nats}`).join(),
    cluster_name: seat.cluster,
    nats_monitors: monitorsOf(seat).join(),
    nats_ca: at(files.ca),
    node: own.name,
    node_url: machinesUrl(own.address),
    node_ca: at(files.ca),
  };
}
