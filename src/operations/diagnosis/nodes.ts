// The doctor's checks of the nodes of a cluster, from what they report about themselves.

import type { ClusterState, KnownNode, NodeState } from "@/operations/nodes/schema.ts";
import { adviceFor, newsOf, positionOf, upgradeOf } from "@/operations/nodes/words.ts";
import { type Finding, timeText, well } from "./schema.ts";

const clockSlackMs = { warning: 2_000, problem: 60_000 };
/** A node that is further behind does not just wait for the newest entries. */
const usualLag = 1_000;
const gigabyte = 1e9;
const room = { warning: 2 * gigabyte, problem: gigabyte / 4 };

export function examineNodes(state: ClusterState): Finding[] {
  const { log, asked, nodes } = state;
  const states = nodes.flatMap(({ state: one }) => (one ? [one] : []));
  return [
    leadership(state),
    ...absent(nodes, asked),
    ...(log === "there" ? positions(state) : []),
    clocks(states),
    ...versions(state),
    ...space(states, asked),
    files(states.filter(({ is_waiting, is_joining }) => !is_waiting && !is_joining)),
  ];
}

function leadership(state: ClusterState): Finding {
  const check = "Nodes";
  const { leader, nodes, cluster, log } = state;
  if (leader !== null)
    return well(check, `${leader} leads ${nodes.length === 1 ? "alone" : `${nodes.length} nodes`}.`);
  if (log !== "there") {
    const held = nodes.flatMap((one) => (positionOf(one) === null ? [] : [`${one.node} ${positionOf(one)}`]));
    const news = newsOf(state);
    const places =
      held.length === 0 ? "" : ` The nodes' databases are at these entries of it: ${held.join(", ")}.`;
    return {
      check,
      verdict: "problem",
      finding: `${news.charAt(0).toUpperCase()}${news.slice(1)}${places}`,
      remedy: adviceFor(state).join(" "),
    };
  }
  return {
    check,
    verdict: "problem",
    finding: "Nobody leads, so every write is refused.",
    remedy:
      "See that most nats-servers run. If they do, the nodes log why they do not lead: cluster_failed with 'maximum bytes exceeded', " +
      "'maximum messages exceeded' or 'insufficient resources' means that the log is full. Then take the limit away " +
      `('nats stream edit CONFAB_${cluster}_LOG --max-bytes=-1'), or enlarge max_file_store of the nats-servers. A node leads ` +
      "within seconds, and removes old entries by itself. cluster_refuses_to_lead means that the log lost entries, which " +
      "'confab cluster status' says, too.",
  };
}

/** The node that was asked has a finding of its own if it does not run. */
function absent(nodes: readonly KnownNode[], asked: string): Finding[] {
  return nodes.flatMap(({ node, url, state, last_seen }): Finding[] =>
    state || node === asked
      ? []
      : [
          {
            check: "Nodes",
            verdict: "warning",
            finding: `${node} does not answer. It was last seen ${timeText(last_seen)}.`,
            remedy: `Start it, or see what keeps it (${url}). If it is gone for good, it is forgotten after a month.`,
          },
        ],
  );
}

function positions({ nodes, newest }: ClusterState): Finding[] {
  const check = "Lag";
  const behind = nodes.filter(({ lag }) => lag !== null && lag > usualLag);
  if (behind.length === 0)
    return [well(check, `Every node that answers has the log up to about entry ${newest}.`)];
  return behind.map(({ node, lag }) => ({
    check,
    verdict: "warning",
    finding: `${node} lacks ${lag} entries of the log.`,
    remedy:
      "It reads on by itself. If it gets no nearer, see whether its disk is full or slow, and restart it.",
  }));
}

function clocks(states: readonly NodeState[]): Finding {
  const check = "Nodes' clocks";
  const times = states.map(({ clock_ms }) => clock_ms);
  const spread = Math.max(...times) - Math.min(...times);
  if (states.length < 2 || spread <= clockSlackMs.warning) return well(check, "They agree.");
  const parts = states.map(
    ({ node, clock_ms }) => `${node} ${new Date(clock_ms).toISOString().slice(11, 19)}`,
  );
  return {
    check,
    verdict: spread > clockSlackMs.problem ? "problem" : "warning",
    finding: `They differ by ${Math.round(spread / 1_000)} seconds: ${parts.join(", ")}.`,
    remedy: "Keep the machines' clocks set by NTP: messages get the time of the node that leads.",
  };
}

function versions(state: ClusterState): Finding[] {
  const news = upgradeOf(state);
  if (!news) return [];
  const { finding, remedy } = news;
  return [{ check: "Nodes' versions", verdict: "warning", finding, remedy }];
}

/** Of the other nodes; the disk of this one has a check of its own. */
function space(states: readonly NodeState[], asked: string): Finding[] {
  return states.flatMap(({ node, free_bytes }): Finding[] => {
    if (node === asked || free_bytes > room.warning) return [];
    return [
      {
        check: "Nodes' disks",
        verdict: free_bytes < room.problem ? "problem" : "warning",
        finding: `${node} has ${(free_bytes / gigabyte).toFixed(1)} GB free.`,
        remedy: "Make room there: a node with a full disk falls behind, and cannot lead.",
      },
    ];
  });
}

function files(states: readonly NodeState[]): Finding {
  const check = "Shared files";
  if (states.length === 0) return { check, verdict: "note", finding: "No node says where it keeps files." };
  const stores = new Set(states.map(({ files: store }) => store));
  const [only = ""] = stores;
  if (stores.size < 2 && only !== "") return well(check, `All nodes use ${only}.`);
  const parts = states.map(({ node, files: store }) => `${node} uses ${store || "its own disk"}`);
  return {
    check,
    verdict: "problem",
    finding: `The nodes look for files in different places: ${parts.join(", ")}.`,
    remedy:
      "Set the same s3_bucket, s3_endpoint and s3_prefix in each node's confab.toml, and restart the nodes one by one.",
  };
}
