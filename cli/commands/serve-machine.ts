// A server on a machine of a cluster whose nats-servers Confab runs: it joins, starts the nats-server, and waits for the other machines.
import { join } from "node:path";
import type { MachineHost } from "@/cluster/machines/machine.ts";
import { folderOf, ownMachine, type Seat, seatIn, settingsOfSeat } from "@/cluster/machines/seat.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { holdFile } from "@/operations/data-folder/host.ts";
import { failUsage } from "../misuse.ts";
import { complain } from "../output.ts";
import { noteToken } from "../own-node.ts";
import { shareFilesIn } from "./cluster-files.ts";
import { clusterIn, translateErrors } from "./cluster-settings.ts";
import type { ServeSettings } from "./serve-args.ts";
import { endingSignals, stopOnSignal } from "./serve-listening.ts";

const lockFile = "confab.lock";

/** Joins with the token, if there is one; returns the seat of the folder, or null for any other server. */
export async function seatFor(dataDir: string, settings: ServeSettings): Promise<Seat | null> {
  const { join: token, node, node_address: address, witness: isWitness } = settings;
  if (token !== undefined) {
    if (settings.dev) failUsage("--dev is for a single server, without --join");
    if (settings.cluster !== undefined && !seatIn(dataDir))
      failUsage("--join goes without --cluster, which names nats-servers of yours");
    const [{ findNatsServer }, { joinMachines }] = await Promise.all([
      import("@/cluster/machines/nats-program.ts"),
      import("@/cluster/machines/founding.ts"),
    ]);
    await translateErrors(
      (async () => {
        findNatsServer(settings.nats_server);
        await joinMachines({ dataDir, token, name: node, address, isWitness });
      })(),
    );
  }
  const seat = seatIn(dataDir);
  const own = seat ? settingsOfSeat(dataDir).cluster : undefined;
  if (seat && settings.cluster !== undefined && settings.cluster.join() !== own)
    failUsage("--cluster names nats-servers of yours, and Confab runs those of this machine: leave it out");
  if (isWitness && !seat)
    failUsage("--witness goes with --join, or with the data folder of a machine that has joined a cluster");
  return seat;
}

export const isWitness = (seat: Seat) => ownMachine(seat).is_witness;

export interface StartedMachine extends Pick<MachineHost, "serveNodes" | "closeListener" | "stop"> {
  /** From now on, the caller ends this on a signal. */
  handOver(): void;
}

/** Starts the nats-server, and waits until the cluster is there. Throws if another process runs it. */
export async function startMachine(
  dataDir: string,
  seat: Seat,
  { settings, log }: { settings: ServeSettings; log: Log },
): Promise<StartedMachine> {
  const [{ findNatsServer }, { MachineHost }, { serveMachines }] = await Promise.all([
    import("@/cluster/machines/nats-program.ts"),
    import("@/cluster/machines/machine.ts"),
    import("@/server.ts"),
  ]);
  const release = holdFile(join(folderOf(dataDir), lockFile));
  if (!release)
    fail("BAD_REQUEST", `Another process runs the nats-server of ${dataDir} already; stop it first.`);
  const starting = async () => {
    const program = findNatsServer(settings.nats_server);
    const host = new MachineHost({ dataDir, seat, program, log, listen: serveMachines });
    const endEarly = () => void host.stop().finally(() => process.exit(1));
    const signals = Object.keys(endingSignals(settings));
    for (const signal of signals) process.once(signal, endEarly);
    const handOver = () => {
      for (const signal of signals) process.off(signal, endEarly);
    };
    const stop = async () => {
      await host.stop();
      handOver();
      release();
    };
    try {
      await host.listen();
      await host.form(() => begin(dataDir), complain);
    } catch (error) {
      await stop();
      throw error;
    }
    return {
      serveNodes: host.serveNodes.bind(host),
      closeListener: host.closeListener.bind(host),
      handOver,
      stop,
    };
  };
  return translateErrors(starting());
}

/** Runs the nats-server alone, until a signal. */
export async function serveWitness(
  dataDir: string,
  seat: Seat,
  how: { settings: ServeSettings; log: Log },
): Promise<{ stopped: Promise<void>; name: string }> {
  const machine = await startMachine(dataDir, seat, how);
  const stopped = stopOnSignal(machine.stop, endingSignals(how.settings));
  machine.handOver();
  return { stopped, name: seat.name };
}

/** Makes the log begin with the organization of the folder. */
async function begin(dataDir: string): Promise<void> {
  const how = clusterIn(dataDir);
  if (!how) throw new Error(`${dataDir} has no settings of a cluster`);
  const { beginOwnCluster } = await import("@/cluster/host.ts");
  await beginOwnCluster({ dataDir, ...how }, () => shareFilesIn(dataDir));
  // From now on commands treat the folder as a node's. Its server makes a token of its own.
  noteToken(dataDir, crypto.randomUUID());
}
