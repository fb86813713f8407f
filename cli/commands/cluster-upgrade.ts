// `cluster upgrade`: the machines of a cluster get a new version, one after the other, while the others go on.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { files, folderOf, seatIn } from "@/cluster/machines/seat.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { listText } from "@/kernel/lib/wording.ts";
import type { ClusterState, NodeState } from "@/operations/nodes/schema.ts";
import { newsOf, upgradeOf } from "@/operations/nodes/words.ts";
import { version } from "../../package.json";
import { standalone } from "../command.ts";
import { addressOf, isLocked, processOf } from "../lock.ts";
import { bold, complain, timeText } from "../output.ts";
import { isNodeFolder, serverOfNode } from "../own-node.ts";
import { failRefused, NoServerAnswer, Unreachable } from "../server.ts";
import { nodesAt, readNodesOfFolder, undrain } from "./cluster-settings.ts";
import { isWitness } from "./serve-machine.ts";

const upgraded = z.object({
  node: z.string(),
  version: z.string(),
  /** Whether it serves nobody until no node of an earlier version leads. */
  is_waiting: z.boolean(),
  /** The nodes that have an earlier version, in the order in which to upgrade them. */
  left: z.array(z.string()),
});
type Upgraded = z.infer<typeof upgraded> & { state: ClusterState };

const pollMs = 500;
/** How long what passes by itself may take: a node that reads on, NATS that elects. */
const passingMs = 60_000;
const drainMs = 30_000;
const endingMs = 10_000;
const returningMs = 900_000;
/** What passes sooner is not said. */
const silentMs = 3_000;

export default [
  standalone({
    name: "cluster upgrade",
    summary: "Restart this machine's server as a new version, while the other machines go on",
    about:
      "Run it on one machine of a cluster after the other, once the new version is in place there. Drains the node, so that another one leads and clients go elsewhere; has " +
      "systemd restart the server, or says what to run and waits; and waits until the node is back and has the whole log. It refuses while another node is missing, drained or " +
      "behind, so never are two machines down at once. It can be interrupted, and repeated. At the end it says which machine is next. Only root may restart a " +
      "service of systemd.",
    examples: ["confab cluster upgrade", "confab cluster upgrade --data /var/lib/confab"],
    args: {},
    result: upgraded,
    async run({ dataDir, show }) {
      const seat = seatIn(dataDir);
      if (seat && isWitness(seat))
        fail(
          "BAD_REQUEST",
          "A witness keeps no data: once all nodes have the new version, restart it with that.",
        );
      if (!isNodeFolder(dataDir)) {
        fail(
          "BAD_REQUEST",
          `${dataDir} belongs to no node of a cluster. A single server is upgraded by a restart: docs/upgrade.md.`,
        );
      }
      await restartAsNew(dataDir);
      await show(await awaitReturn(dataDir));
    },
    json: ({ state: _, ...result }: Upgraded) => result,
    print: ({ node, is_waiting: isWaiting, state }: Upgraded) => {
      const news = upgradeOf(state);
      const own = isWaiting ? `${bold(node)} has ${version} and waits.` : `${bold(node)} has ${version}.`;
      return news ? `${own}\n\n${news.finding} ${news.remedy}` : `${own} So have all nodes that answer.`;
    },
  }),
];

/** Does nothing more if the node has this version, or just starts. */
async function restartAsNew(dataDir: string): Promise<void> {
  const state = await stateAt(dataDir);
  const own = ownOf(state);
  checkVersions(state);
  if (own?.version === version) {
    if (own.is_draining) await undrain(await serverOf(dataDir));
    return;
  }
  const pid = processOf(dataDir);
  if (!own) {
    if (pid === null) complain(`${state.asked} does not run. Start it with ${version}; this waits for it.`);
    return;
  }
  const others = await waitForOthers(dataDir);
  complain(`Draining ${state.asked}, while ${listText(others)} ${others.length === 1 ? "goes" : "go"} on …`);
  const unit = pid === null ? null : unitOf(pid);
  const hasEnded = await drain(dataDir);
  if (unit !== null && process.getuid?.() === 0) return restartUnit(unit);
  if (hasEnded) {
    const start = unit === null ? `Start it with ${version}; this waits for it.` : "systemd starts it again.";
    return complain(`${state.asked} has ended, as a node does once one of the new version leads. ${start}`);
  }
  complain(
    unit === null
      ? `Stop the server of ${state.asked} now (process ${pid}), and start it with ${version}; this waits for it.`
      : `Run 'sudo systemctl restart ${unit}' now; this waits for it.`,
  );
}

/** What is known of all nodes, whether or not this one's server answers. */
async function stateAt(dataDir: string): Promise<ClusterState> {
  if (addressOf(dataDir) === null) return readNodesOfFolder(dataDir);
  try {
    return await nodesAt(await serverOf(dataDir));
  } catch (error) {
    if (error instanceof Unreachable) return readNodesOfFolder(dataDir);
    throw error;
  }
}

const serverOf = (dataDir: string) => serverOfNode({ dataDir, as: null });

function ownOf({ nodes, asked }: ClusterState): NodeState | null {
  return nodes.find(({ node }) => node === asked)?.state ?? null;
}

const majorOf = (text: string) => Number.parseInt(text, 10);

/** Throws where this program is not what the nodes are to be upgraded to. */
function checkVersions({ nodes }: ClusterState): void {
  for (const { node, state } of nodes) {
    if (!state) continue;
    if (Bun.semver.order(state.version, version) > 0) {
      fail(
        "BAD_REQUEST",
        `${node} has ${state.version} already, and this program is ${version}: put ${state.version} here, too.`,
      );
    }
    if (majorOf(version) - majorOf(state.version) > 1) {
      fail(
        "BAD_REQUEST",
        `${node} has ${state.version}, and nodes of it do not run together with ${version}: upgrade all to version ${majorOf(state.version) + 1} first.`,
      );
    }
  }
}

interface Obstacle {
  readonly sentence: string;
  /** Whether it may pass by itself soon. */
  readonly passes: boolean;
}

/** Waits until the others can do without this machine, and returns their names; throws where that does not pass by itself. */
async function waitForOthers(dataDir: string): Promise<string[]> {
  const begin = performance.now();
  let [newest, isSaid]: [number | null, boolean] = [null, false];
  for (;;) {
    const state = await stateAt(dataDir);
    newest ??= state.newest;
    const obstacle = await obstacleIn(state, dataDir, newest);
    if (!obstacle) return othersIn(state).map(({ node }) => node);
    const waitedMs = performance.now() - begin;
    if (!obstacle.passes || waitedMs > passingMs) fail("BAD_REQUEST", obstacle.sentence);
    if (waitedMs > silentMs && !isSaid) {
      complain(`${obstacle.sentence} Waiting for that …`);
      isSaid = true;
    }
    await Bun.sleep(pollMs);
  }
}

const othersIn = ({ nodes, asked }: ClusterState) => nodes.filter(({ node }) => node !== asked);

/** Why this machine must not be stopped now. `newest` is what each of the others must have of the log. */
async function obstacleIn(state: ClusterState, dataDir: string, newest: number): Promise<Obstacle | null> {
  const others = othersIn(state);
  if (others.length === 0) {
    const sentence =
      "This is the only node, so nobody could write meanwhile: put the new version here, and restart the server.";
    return { sentence, passes: false };
  }
  if (state.log !== "there" || state.leader === null)
    return { sentence: `Not now: ${newsOf(state)}`, passes: state.log === "there" };
  for (const { node, state: its, last_seen } of others) {
    if (!its) {
      const sentence = `Not now: ${node} does not answer, and was last seen ${timeText(last_seen)} UTC. Start it first; if it is gone for good, 'confab cluster remove ${node}'.`;
      return { sentence, passes: false };
    }
    if (its.is_draining) {
      const sentence = `Not now: ${node} is drained, to be restarted. Wait until it is back, or run 'confab node undrain' there.`;
      return { sentence, passes: false };
    }
    if (its.position < newest)
      return { sentence: `${node} lacks ${newest - its.position} entries of the log.`, passes: true };
  }
  // That of this machine stops with its server, and the log needs two of three.
  const own = seatIn(dataDir)?.name;
  const lacking = (await natsLacking(dataDir)).filter((name) => name !== own);
  if (lacking.length === 0) return null;
  const sentence = `The nats-server of ${listText(lacking)} does not answer, or lacks entries that others have.`;
  return { sentence, passes: true };
}

/** The machines whose nats-servers are not whole, as all of them say; none where others run these. */
async function natsLacking(dataDir: string): Promise<string[]> {
  const seat = seatIn(dataDir);
  if (!seat) return [];
  const { machinesLacking } = await import("@/cluster/machines/founding.ts");
  const ca = readFileSync(join(folderOf(dataDir), files.ca), "utf8");
  return machinesLacking(seat.machines, ca);
}

/** Whether the server ended by itself, as it does if one of a newer version with other tables takes over. */
async function drain(dataDir: string): Promise<boolean> {
  const server = await serverOf(dataDir);
  const takePart = () =>
    undrain(server).catch(() => complain("The node stays drained until it is restarted."));
  const interrupt = () => void takePart().finally(() => process.exit(130));
  // Once its server has ended, this does nothing.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupt);
  const init = { method: "POST" };
  const answer = await server.send("/metrics/nodes/drain", { patienceMs: drainMs, init }).catch((error) => {
    if (error instanceof NoServerAnswer) return null;
    throw error;
  });
  if (!answer) {
    await awaitEnd(dataDir);
    return true;
  }
  if (!answer.ok) failRefused(server, answer);
  // Of two machines where this runs at the same time, at least one sees that the other is drained.
  const obstacle = await obstacleIn(await stateAt(dataDir), dataDir, 0);
  if (!obstacle) return false;
  await takePart();
  return fail("BAD_REQUEST", obstacle.sentence);
}

async function awaitEnd(dataDir: string): Promise<void> {
  const until = performance.now() + endingMs;
  while (isLocked(dataDir)) {
    if (performance.now() > until)
      fail("BAD_REQUEST", "This node's server does not answer. Try again, or look at its log.");
    await Bun.sleep(100);
  }
}

/** The unit of systemd that a process belongs to; null if it was started by hand. */
export function unitOf(pid: number, proc = "/proc"): string | null {
  try {
    const groups = readFileSync(`${proc}/${pid}/cgroup`, "utf8");
    const unit = /:\/system\.slice\/(?:[^/\n]+\/)*([^/\n]+\.service)$/m.exec(groups)?.[1];
    if (unit === undefined) return null;
    // A program that another service started, such as cron, is not restarted by that.
    const asked = ["systemctl", "show", "--property=MainPID", "--value", unit];
    const { stdout, exitCode } = Bun.spawnSync(asked, { env: process.env });
    return exitCode === 0 && Number(stdout.toString()) === pid ? unit : null;
  } catch {
    return null;
  }
}

async function restartUnit(unit: string): Promise<void> {
  complain(`Restarting ${unit} …`);
  const child = Bun.spawn(["systemctl", "restart", unit], { stdin: "ignore", stderr: "pipe" });
  const [status, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (status !== 0)
    fail("BAD_REQUEST", `'systemctl restart ${unit}' failed: ${said.trim()} Mend that, and run this again.`);
}

/** Waits until the node runs with this version, and has the log up to where it ended when it came back. */
async function awaitReturn(dataDir: string): Promise<Upgraded> {
  const until = performance.now() + returningMs;
  for (let newest: number | null = null; ; await Bun.sleep(pollMs)) {
    // While its nats-server starts, too, there may be no answer.
    const state = await stateAt(dataDir).catch(() => null);
    const own = state && ownOf(state);
    if (state && own?.version === version) {
      newest ??= state.newest;
      const isWhole = own.position >= newest && state.log === "there" && state.leader !== null;
      if (isWhole && (await natsLacking(dataDir)).length === 0) {
        const left = upgradeOf(state)?.left ?? [];
        // It serves within seconds.
        if (own.is_waiting && left.length === 0) continue;
        return { node: own.node, version, is_waiting: own.is_waiting, left: [...left], state };
      }
    } else if (own && !own.is_draining) {
      fail(
        "BAD_REQUEST",
        `${own.node} runs ${own.version} again: what starts it is another program than this one, which is ${process.execPath}. Put ${version} there, and run this again.`,
      );
    }
    if (performance.now() > until) {
      const name = state?.asked ?? "The node";
      fail("BAD_REQUEST", `${name} has not come back as ${version}: look at its log, and run this again.`);
    }
  }
}
