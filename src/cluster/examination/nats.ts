// The doctor's checks of the nats-servers of a cluster.
import { type Finding, well } from "@/operations/diagnosis/schema.ts";
import { divisionOf, type Meta, metaOf } from "./meta.ts";
import { askMonitor, checkServer, clockAt, lagAt, Silence, tooOldToStart } from "./nats-check.ts";
import { wholeStoreIn } from "./stores.ts";

const check = "NATS";
/** From this part of its room on, a nats-server's store is nearly full. */
const nearlyFull = 0.8;
/** Clocks may differ by less; an answer that took long tells the time less well, too. */
const clockSlackMs = 3_000;

const remedies = {
  silent: `Start it, or correct nats_monitors: the address of 'http' in each nats-server's configuration. ${tooOldToStart}`,
  unfit: "Change it and restart that nats-server; the others go on meanwhile.",
  few: "Name the monitoring address of each nats-server in nats_monitors.",
  behind:
    "Look again in a minute. If it does not catch up, restart that nats-server; the others go on meanwhile.",
  clocks:
    "Have each machine set its clock by NTP ('timedatectl' shows whether it does). The lead does not depend on these clocks, but they decide " +
    "for how long the nats-servers remember what was sent again.",
  full: "Enlarge max_file_store in its jetstream block, and see that its disk has room: a full log refuses every write.",
} as const;

export interface Examined {
  readonly monitors: readonly string[] | null;
  readonly replicas: number;
  /** CA certificates (PEM) of the nats-servers, unless a public authority signs theirs. */
  readonly ca?: string | undefined;
}

/** Looks at each nats-server at its monitoring address; null if the operator vouches for them. */
export async function examineNats({ monitors, replicas, ca }: Examined): Promise<Finding[]> {
  if (!monitors) {
    const finding = "The nats-servers are not checked, because nats_unchecked is set.";
    return [
      { check, verdict: "note", finding, remedy: "Name them in nats_monitors, and take nats_unchecked out." },
    ];
  }
  const found = await Promise.all(monitors.map((one) => examineOne(one, ca)));
  const division = divisionOf(
    found.flatMap(({ meta }) => (meta ? [meta] : [])),
    replicas,
  );
  const faults = [
    ...(division ? [{ check, verdict: "problem", ...division } as const] : []),
    ...found.flatMap(({ faults }) => faults),
  ];
  const names = new Set(found.flatMap(({ name }) => (name === null ? [] : [name])));
  if (faults.length === 0 && names.size < replicas) {
    const finding = `The log has ${replicas} copies, and nats_monitors lead to ${names.size} nats-servers.`;
    return [{ check, verdict: "problem", finding, remedy: remedies.few }];
  }
  const apart = examineClocks(found);
  if (faults.length > 0) return [...faults, ...apart];
  if (apart.length > 0) return apart;
  return [well(check, `${[...names].join(", ")} answer, are new enough, and sync each entry.`)];
}

interface Server {
  readonly name: string | null;
  readonly faults: Finding[];
  readonly meta: Meta | null;
  /** How far its clock is ahead of this machine's, in milliseconds. */
  readonly clock: number | null;
}

async function examineOne(address: string, ca: string | undefined): Promise<Server> {
  try {
    const name = await checkServer(address, ca);
    const answer = await askMonitor(address, "/jsz?meta=1", ca);
    const faults = examineStore(answer, name);
    const lag = faults.length > 0 ? null : await lagAt(address, ca);
    if (lag !== null) {
      const finding = `${name} does not have all that the other nats-servers have: ${lag || "it is not ready"}.`;
      faults.push({ check, verdict: "warning", finding, remedy: remedies.behind });
    }
    return { name, faults, meta: metaOf(name, answer), clock: await clockAt(address, ca).catch(() => null) };
  } catch (error) {
    const remedy = error instanceof Silence ? remedies.silent : remedies.unfit;
    const faults: Finding[] = [{ check, verdict: "problem", finding: (error as Error).message, remedy }];
    return { name: null, faults, meta: null, clock: null };
  }
}

function examineClocks(servers: readonly Server[]): Finding[] {
  const known = servers.flatMap(({ name, clock }) =>
    name === null || clock === null ? [] : [{ name, clock }],
  );
  const sorted = known.toSorted((one, other) => one.clock - other.clock);
  const [slow, fast] = [sorted[0], sorted.at(-1)];
  if (!slow || !fast || fast.clock - slow.clock < clockSlackMs) return [];
  const finding = `The clock of ${fast.name} is ${secondsText(fast.clock - slow.clock)} ahead of that of ${slow.name}.`;
  return [{ check, verdict: "warning", finding, remedy: remedies.clocks }];
}

function secondsText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds === 1 ? "a second" : `${seconds.toLocaleString("en")} seconds`;
}

function examineStore(answer: unknown, name: string): Finding[] {
  const store = wholeStoreIn(answer);
  if (!store) return [];
  const part = store.bytes / store.roomBytes;
  if (part < nearlyFull) return [];
  const finding = `The store of ${name} is ${Math.round(part * 100)} % full.`;
  return [{ check, verdict: part < 0.95 ? "warning" : "problem", finding, remedy: remedies.full }];
}
