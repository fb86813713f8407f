// How commands, doctor and console describe a cluster's state.
import { listText } from "@/kernel/lib/wording.ts";
import type { ClusterState, KnownNode, NodeState } from "./schema.ts";

/** What the nodes are doing, as a sentence without the name of the cluster. */
export function newsOf({
  cluster,
  leader,
  log,
  newest,
}: Pick<ClusterState, "cluster" | "leader" | "log" | "newest">): string {
  const who = leader === null ? "nobody leads" : `${leader} leads`;
  if (log === "silent") return `most nats-servers do not answer, so ${who}.`;
  if (log === "there") return `${who}, and the log ends at entry ${newest}.`;
  return newest === 0
    ? `the log is lost (these nats-servers hold none of a cluster ${cluster}), and ${who}.`
    : `the log has lost entries, and ${who}: it ends at entry ${newest}.`;
}

export function roleOf({ node, state, lag }: KnownNode, asked: string): string {
  if (!state) return node === asked ? "does not run" : "not reached";
  if (state.leads) return "leads";
  if (state.is_joining) return "joins by a snapshot";
  if (state.is_waiting) return "waits for the upgrade";
  if (state.is_draining) return "drained";
  if (state.is_cut_off) return "does not follow the log";
  return lag !== null && lag > usualLag ? "catching up" : "follows";
}

/** A node that lacks more does not just wait for the newest entries. */
const usualLag = 100;

/** The same with since when, as in "leads since 10:32 UTC". */
export function doingOf(known: KnownNode, asked: string, now = Date.now()): string {
  const { state, lag, last_seen } = known;
  const role = roleOf(known, asked);
  const since = state ? state.since : last_seen || null;
  const isBehind = role === "catching up" || (state?.is_cut_off && lag !== null && lag > 0);
  return [
    // While it reads on, it is the number that changes.
    since === null || role === "catching up"
      ? role
      : `${perfect[role] ?? role} since ${hourText(since, now)}`,
    ...(isBehind ? [`${lag?.toLocaleString("en")} entries behind`] : []),
  ].join(", ");
}

/** What is said with "since" in another tense. */
const perfect: Record<string, string> = {
  "does not run": "has not run",
  "does not follow the log": "has not followed the log",
};

/** With the day, unless that is today. */
function hourText(seconds: number, now: number): string {
  const [today] = new Date(now).toISOString().split("T");
  const [day = "", time = ""] = new Date(seconds * 1_000).toISOString().split("T");
  return `${day === today ? "" : `${day} `}${time.slice(0, 5)} UTC`;
}

/** The newest entry of the log that a node's database holds, as far as is known; a node of an earlier version says it only in its state. */
export function positionOf({ position, state }: Pick<KnownNode, "position" | "state">): number | null {
  return state?.position ?? position;
}

export interface UpgradeNews {
  /** The version that the nodes are to have. */
  readonly version: string;
  /** The nodes of earlier versions that answer, in the order in which to upgrade them. */
  readonly left: readonly string[];
  readonly finding: string;
  readonly remedy: string;
}

/** How far an upgrade of the nodes is, by those that answer; null if they have one version, and all serve. */
export function upgradeOf({ nodes }: Pick<ClusterState, "nodes">): UpgradeNews | null {
  const states = nodes.flatMap(({ state }) => state ?? []);
  const version = states.map((one) => one.version).reduce(newerOf, "0.0.0");
  const earlier = states.filter((one) => one.version !== version);
  const waiting = states.filter(({ is_waiting }) => is_waiting);
  if (earlier.length === 0 && waiting.length === 0) return null;
  // The lead then changes once.
  const left = [...earlier.filter(({ leads }) => !leads), ...earlier.filter(({ leads }) => leads)];
  const serving = states.filter((one) => one.version === version && !one.is_waiting);
  const parts = [
    ...(serving.length > 0 ? [`${namesOf(serving)} ${serving.length === 1 ? "has" : "have"} it`] : []),
    ...(waiting.length > 0
      ? [
          `${namesOf(waiting)} ${waiting.length === 1 ? "has it and serves" : "have it and serve"} nobody until no node of an earlier version leads, ` +
            "because its tables are new",
        ]
      : []),
    ...earlier.map((one) => `${one.node} has ${one.version}${one.is_draining ? " and is drained" : ""}`),
  ];
  const steps = left.map(({ node: name }) => `on the machine of ${name}`).join(", then ");
  const remedy =
    left.length > 0
      ? `Put the new version there and run 'confab cluster upgrade' ${steps}.`
      : "They serve within seconds.";
  return {
    version,
    left: left.map(({ node }) => node),
    finding: `An upgrade to ${version} is under way: ${parts.join("; ")}.`,
    remedy,
  };
}

const namesOf = (states: readonly NodeState[]) => listText(states.map(({ node }) => node));

const newerOf = (one: string, other: string) => (Bun.semver.order(other, one) > 0 ? other : one);

/** What to do while nobody leads, as sentences; empty if NATS and the log are not the reason. */
export function adviceFor({ log, asked, leader, nodes }: ClusterState): string[] {
  if (log === "there" || leader !== null) return [];
  if (log === "silent") {
    return [
      "Start the nats-servers, and see that they reach each other: the log is on their disks. 'confab doctor' says which of them do " +
        "not answer. If their disks are lost, start them without, and look here again.",
    ];
  }
  const first = highest(nodes);
  return [
    "See that the settings 'cluster' and 'cluster_name' name the right nats-servers and cluster. If the stores of the nats-servers can come " +
      "back (a disk that was not mounted, another store_dir), stop them and bring those back: then nothing is lost.",
    ...unsure(nodes, asked),
    ...(first
      ? [
          `Otherwise start the log over with the node at the highest position, which is ${first.node} at entry ${first.position}: stop ` +
            `all nodes, run 'confab cluster recover --from ${first.node}' beside its folder, and start it. Then run 'confab cluster join' ` +
            "beside each of the others, and start them.",
        ]
      : []),
  ];
}

/** The first of the nodes whose databases hold the most, as far as is known. */
export function highest(nodes: readonly KnownNode[]): (KnownNode & { position: number }) | null {
  const known = nodes.flatMap((one) => {
    const position = positionOf(one);
    return position === null ? [] : [{ ...one, position }];
  });
  return known.toSorted((a, b) => b.position - a.position)[0] ?? null;
}

/** Nodes whose databases may hold more than is known here. */
function unsure(nodes: readonly KnownNode[], asked: string): string[] {
  const names = nodes.filter(({ node, state }) => !state && node !== asked).map(({ node }) => node);
  if (names.length === 0) return [];
  const what = `What ${listText(names)} ${names.length === 1 ? "holds" : "hold"} may be more than this says`;
  return [`${what}: run 'confab cluster status' beside the folder of each first, and compare the positions.`];
}
