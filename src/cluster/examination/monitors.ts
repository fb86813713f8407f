// Looks at the settings of the nats-servers before a node starts, and as long as it runs.
import type { Log } from "@/kernel/lib/log.ts";
import type { NatsFault, NatsFigures, NatsStore } from "@/operations/nodes/host.ts";
import { withRetries } from "../shared-log.ts";
import { divisionOf, type Meta, metaAt } from "./meta.ts";
import { checkServer, lagAt, Silence, tooOldToStart } from "./nats-check.ts";
import { storesAt } from "./stores.ts";

export interface Monitored {
  /** The monitoring address of each nats-server; null if the operator vouches for their settings. */
  readonly monitors: readonly string[] | null;
  /** How many of them keep the log. */
  readonly replicas: number;
  /** CA certificates (PEM) to trust at https addresses, unless a public authority signs theirs. */
  readonly ca?: string | undefined;
}

const patienceMs = 3_000;
/** New nats-servers elect their first leader within this time. */
const formingMs = 12_000;
const usualMs = 60_000;

/**
 * Throws unless the nats-servers store entries safely. Waits a moment until all answer. If `needsAll` is false, more than half
 * of them are enough then: a machine may be lost, and the others have to work without it.
 */
export async function checkMonitors(
  monitored: Monitored,
  needsAll: boolean,
  startingMs?: number,
): Promise<void> {
  const isFinal = (error: unknown) => !(error instanceof Silence);
  const all = async () => {
    const [silence] = await checkServers(monitored);
    if (silence) throw silence;
  };
  if (needsAll) return withRetries(all, isFinal, startingMs).catch(withHint);
  try {
    await withRetries(all, isFinal, patienceMs);
  } catch (error) {
    if (isFinal(error)) throw error;
    await withRetries(() => checkServers(monitored), isFinal, startingMs).catch(withHint);
  }
}

function withHint(error: Error): never {
  throw error instanceof Silence ? new Silence(`${error.message} Does it run? ${tooOldToStart}`) : error;
}

/** Throws unless the nats-servers are one cluster, in which the log can have its copies. Waits a moment while they form it. */
export async function checkWhole(
  { monitors, replicas, ca }: Monitored,
  patienceMs = formingMs,
): Promise<void> {
  if (!monitors) return;
  const isFinal = () => false;
  await withRetries(
    async () => {
      const division = divisionOf(await metasAt(monitors, ca), replicas);
      if (division) throw new Error(`${division.finding} ${division.remedy}`);
    },
    isFinal,
    patienceMs,
  );
}

/** How those nats-servers that answer see their cluster. */
export async function metasAt(monitors: readonly string[], ca: string | undefined): Promise<Meta[]> {
  const asked = monitors.map(async (one) => metaAt(await checkServer(one, ca), one, ca));
  const all = await Promise.all(asked.map((one) => one.catch(() => null)));
  return all.filter((one) => one !== null);
}

/**
 * Throws unless there are as many nats-servers as copies of the log, more than half of them answer, and each that answers stores
 * the log safely. Returns why the others could not be asked.
 */
export async function checkServers({ monitors, replicas, ca }: Monitored): Promise<Silence[]> {
  if (!monitors) return [];
  const found = await Promise.all(
    monitors.map((one) =>
      checkServer(one, ca).catch((error) => {
        if (error instanceof Silence) return error;
        throw error;
      }),
    ),
  );
  const silent = found.filter((one) => one instanceof Silence);
  const names = new Set(found.filter((one) => typeof one === "string"));
  if (names.size + silent.length < replicas) {
    throw new Error(
      `The log is kept in ${replicas} copies, and the monitoring addresses lead to ${names.size + silent.length} nats-servers; ` +
        "name the address of each.",
    );
  }
  if (silent[0] && names.size <= replicas / 2) throw silent[0];
  return silent;
}

interface Fault {
  readonly event: "cluster_nats_silent" | "cluster_nats_unfit" | "cluster_nats_behind";
  readonly error: string;
}

const faultOf = {
  cluster_nats_silent: "silent",
  cluster_nats_unfit: "unfit",
  cluster_nats_behind: "behind",
} as const satisfies Record<Fault["event"], NatsFault>;

/** Logs when a nats-server becomes silent, stays behind the others, or has other settings than a node needs. */
export class MonitorWatch {
  private readonly faults = new Map<string, Fault | null>();
  private readonly stores = new Map<string, readonly NatsStore[]>();
  /** The addresses of those that were behind at the last check. */
  private readonly behind = new Set<string>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly monitored: Monitored & { readonly cluster: string },
    private readonly log: Log,
  ) {}

  /** What the last look at each found. */
  get figures(): NatsFigures[] {
    return [...this.faults].map(([server, fault]) => ({
      server,
      fault: fault && faultOf[fault.event],
      stores: this.stores.get(server) ?? [],
    }));
  }

  start(): void {
    void this.check();
    this.timer = setInterval(() => void this.check(), usualMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async check(): Promise<void> {
    const { monitors, ca } = this.monitored;
    await Promise.all((monitors ?? []).map((address) => this.checkOne(address, ca)));
  }

  private async checkOne(address: string, ca: string | undefined): Promise<void> {
    const fault = await this.faultAt(address, ca);
    const found = await storesAt(address, this.monitored.cluster, ca).catch(() => []);
    this.stores.set(address, found);
    const before = this.faults.get(address) ?? null;
    this.faults.set(address, fault);
    if (fault?.event === before?.event && fault?.error === before?.error) return;
    if (!fault) this.log.info("cluster_nats_well", { address });
    else {
      const level = fault.event === "cluster_nats_unfit" ? "error" : "warn";
      this.log[level](fault.event, { address, error: fault.error });
    }
  }

  private async faultAt(address: string, ca: string | undefined): Promise<Fault | null> {
    let lag: string | null = null;
    try {
      const name = await checkServer(address, ca);
      lag = await lagAt(address, ca).catch(() => null);
      // It may have just started: then it has caught up by the next check.
      const isStuck = lag !== null && this.behind.has(address);
      return isStuck ? { event: "cluster_nats_behind", error: stuckText(name) } : null;
    } catch (error) {
      const { message } = error as Error;
      return {
        event: error instanceof Silence ? "cluster_nats_silent" : "cluster_nats_unfit",
        error: message,
      };
    } finally {
      if (lag === null) this.behind.delete(address);
      else this.behind.add(address);
    }
  }
}

function stuckText(name: string): string {
  return (
    `The nats-server ${name} has not caught up with the others for a minute, so the log has one copy less. ` +
    "If this goes on, restart it."
  );
}
