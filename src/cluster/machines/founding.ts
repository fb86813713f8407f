// How a machine gets its seat: it founds a cluster, or joins one with a token.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { newKey } from "@/foundation/secrets/secrets.ts";
import { listText } from "@/kernel/lib/wording.ts";
import { writePrivately } from "@/operations/data-folder/host.ts";
import { serversLacking } from "../examination/meta.ts";
import { reasonOf } from "../reasons.ts";
import { withRetries } from "../shared-log.ts";
import { certificateFor, newAuthority, type Pair } from "./authority.ts";
import { admittedShape, type joiningShape, paths } from "./machine.ts";
import {
  files,
  folderOf,
  type Machine,
  machinesUrl,
  monitorOf,
  ownMachine,
  ports,
  type Seat,
  seatIn,
  seats,
  writeSeat,
} from "./seat.ts";
import { dropForgotten, fingerprintOf, formatToken, newToken, parseToken } from "./tokens.ts";

const answerMs = 30_000;
/** One that says nothing for so long is lost. */
const lostMs = 5_000;
/** NATS elects within this time, and one that has just started catches up. */
const wholeMs = 12_000;

interface Founding {
  readonly dataDir: string;
  readonly cluster: string;
  readonly name: string;
  readonly address: string;
  /** Settings of all nodes, as confab.toml would have them. */
  readonly settings: Record<string, string>;
  /** The credentials of the S3 store, as a file has them; null without one. */
  readonly s3: string | null;
}

/** Prepares the first machine of a cluster; returns the token for the others. */
export async function foundCluster({
  dataDir,
  cluster,
  name,
  address,
  settings,
  s3,
}: Founding): Promise<string> {
  const authority = await newAuthority(cluster);
  const own = await certificateFor(authority, name, address);
  const { secret, kept } = newToken(seats - 1);
  const passwords = { secret: newKey(), nats_password: newKey(), system_password: newKey() };
  const machines = [{ name, address, is_witness: false }];
  const seat = { cluster, ...passwords, founder: address, settings, name, machines };
  writeFiles(dataDir, { ca: authority.cert, caKey: authority.key, own, s3 });
  writeSeat(dataDir, { ...seat, has_begun: false, tokens: [kept] });
  return formatToken({ fingerprint: fingerprintOf(authority.cert), secret, address });
}

/** A new token for the machines that are still missing, in the place of all others. Null if there is no cluster in this folder that waits for them. */
export function tokenToGoOn(dataDir: string): { token: string; node: string; address: string } | null {
  const seat = seatIn(dataDir);
  if (!seat || seat.machines.length >= seats || seat.founder !== ownMachine(seat).address) return null;
  const { name: node, address } = ownMachine(seat);
  const { secret, kept } = newToken(seats - seat.machines.length);
  writeSeat(dataDir, { ...seat, tokens: [kept] });
  return { token: tokenOf(dataDir, secret, address), node, address };
}

/** Undoes the preparation of a cluster that does not begin. */
export function forgetSeat(dataDir: string): void {
  rmSync(folderOf(dataDir), { recursive: true, force: true });
}

interface Joining {
  readonly dataDir: string;
  readonly token: string;
  /** By default, the name of the machine. */
  readonly name: string | undefined;
  /** By default, the address from which it reaches the other machine. */
  readonly address: string | undefined;
  readonly isWitness: boolean;
}

/** Joins a cluster; does nothing in a folder that has joined it before. Throws with the reason if the token is refused. */
export async function joinMachines({ dataDir, token: text, isWitness, ...given }: Joining): Promise<void> {
  const token = parseToken(text);
  if (!token) throw new Error("This is no token: copy the whole line that 'confab cluster init' prints.");
  const url = machinesUrl(token.address);
  const ca = await askAuthority(url);
  if (fingerprintOf(ca) !== token.fingerprint)
    throw new Error(`Another cluster answers at ${token.address} than the one of the token.`);
  const before = seatIn(dataDir);
  if (before) return checkSame(dataDir, ca);
  const address = given.address ?? (await addressTowards(token.address));
  const machine = { name: given.name ?? nameOfMachine(), address, is_witness: isWitness };
  const admitted = await askToJoin(url, ca, { ...machine, secret: token.secret });
  const { ca_key, cert, key, s3, ...shared } = admitted;
  writeFiles(dataDir, { ca, caKey: ca_key, own: { cert, key }, s3 });
  writeSeat(dataDir, { ...shared, tokens: [] });
}

/** The machine whose place a new one may take, because it does not answer and the others lack nothing; throws if none may. */
export async function findReplaceable(dataDir: string, seat: Seat, name: string): Promise<Machine> {
  const lost = seat.machines.find((one) => one.name === name);
  const names = listText(seat.machines.map((one) => one.name));
  if (!lost) throw new Error(`The machines of this cluster are ${names}; none is ${name}.`);
  // The node that leads does this, wherever the command runs.
  if (name === seat.name || (await isAnswering(machinesUrl(lost.address))))
    throw new Error(`${name} runs at ${lost.address}: stop it first.`);
  await checkOthersAreWhole(seat, name, readFileSync(join(folderOf(dataDir), files.ca), "utf8"));
  return lost;
}

/** A token for a new machine that takes this one's place, at its address. The machine of `seat` takes it. */
export function tokenToReplace(dataDir: string, seat: Seat, { name }: Machine): string {
  const { secret, kept } = newToken(1, name);
  // A newer token takes the place of one that was not used.
  const tokens = dropForgotten(seat.tokens).filter(
    ({ replaces, places }) => replaces !== name || places === 0,
  );
  writeSeat(dataDir, { ...seat, tokens: [...tokens, kept] });
  return tokenOf(dataDir, secret, ownMachine(seat).address);
}

function tokenOf(dataDir: string, secret: string, address: string): string {
  const ca = readFileSync(join(folderOf(dataDir), files.ca), "utf8");
  return formatToken({ fingerprint: fingerprintOf(ca), secret, address });
}

/**
 * A nats-server that comes without data votes all the same, and could make one the leader that lacks what the lost one and the other had
 * acknowledged. So both others must hold everything first; what is acknowledged later, both have.
 */
async function checkOthersAreWhole({ machines }: Seat, lost: string, ca: string): Promise<void> {
  const others = machines.filter(({ name }) => name !== lost);
  const check = async () => {
    const lacking = await machinesLacking(others, ca);
    if (lacking.length === 0) return;
    throw new Error(
      `A new machine in the place of ${lost} could lose acknowledged messages now: the nats-server of ${listText(lacking)} may lack some of them. ` +
        "It catches up within seconds when it runs and reaches the others: try again then.",
    );
  };
  await withRetries(check, () => false, wholeMs);
}

/** Those machines whose nats-servers do not answer, or lack what another of them holds. `ca` is the cluster's authority. */
export function machinesLacking(machines: readonly Machine[], ca: string): Promise<string[]> {
  return serversLacking(
    machines.map((one) => ({ name: one.name, address: monitorOf(one) })),
    ca,
  );
}

function isAnswering(url: string): Promise<boolean> {
  const how = { tls: { rejectUnauthorized: false }, signal: AbortSignal.timeout(lostMs) };
  return fetch(url + paths.authority, how).then(
    () => true,
    () => false,
  );
}

function checkSame(dataDir: string, ca: string): void {
  const path = join(folderOf(dataDir), files.ca);
  if (!existsSync(path) || fingerprintOf(readFileSync(path, "utf8")) !== fingerprintOf(ca))
    throw new Error(`${dataDir} belongs to a machine of another cluster. Join with an empty data folder.`);
}

async function askAuthority(url: string): Promise<string> {
  // The fingerprint in the token says whether this is the right one.
  const tls = { rejectUnauthorized: false };
  const answer = await fetch(url + paths.authority, { tls, signal: AbortSignal.timeout(answerMs) }).catch(
    (error: unknown) => {
      throw new Error(
        `No machine of the cluster answers at ${url}: ${reasonOf(error, "node_ca")}. Does 'confab cluster init' or 'confab serve' run there, and ` +
          `do firewalls let the machines reach each other's ports ${ports.machines} to ${ports.monitor}?`,
      );
    },
  );
  return answer.text();
}

async function askToJoin(
  url: string,
  ca: string,
  asked: z.infer<typeof joiningShape>,
): Promise<z.infer<typeof admittedShape>> {
  const answer = await fetch(url + paths.join, {
    method: "POST",
    body: JSON.stringify(asked),
    tls: { ca },
    signal: AbortSignal.timeout(answerMs),
  });
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return admittedShape.parse(body);
  const { data } = z.object({ error: z.string() }).safeParse(body);
  throw new Error(data?.error ?? `The machine at ${url} answers with status ${answer.status}.`);
}

/** The address of this machine on the way to another. */
function addressTowards(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: ports.machines }, () => {
      resolve(socket.localAddress ?? address);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

/** The address of this machine, if it has one only besides those for itself. */
export function onlyAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const outer = all.filter(({ internal, family }) => !internal && family === "IPv4");
  return outer.length === 1 ? (outer[0]?.address ?? null) : null;
}

/** The first part of the machine's name, as far as a node may have it. */
export function nameOfMachine(): string {
  const [first = ""] = hostname().split(".");
  return (
    first
      .replaceAll(/[^A-Za-z0-9_-]/g, "")
      .replace(/^[_-]+/, "")
      .slice(0, 40) || "node"
  );
}

interface Written {
  readonly ca: string;
  readonly caKey: string | null;
  readonly own: Pair;
  readonly s3: string | null;
}

function writeFiles(dataDir: string, { ca, caKey, own, s3 }: Written): void {
  const write = (file: string, text: string | null) => {
    if (text !== null) writePrivately(join(folderOf(dataDir), file), text);
  };
  write(files.ca, ca);
  write(files.caKey, caKey);
  write(files.cert, own.cert);
  write(files.key, own.key);
  write(files.s3, s3);
}
