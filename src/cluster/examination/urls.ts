// The doctor's check whether the nodes reach each other at their node_url.
import { type Finding, well } from "@/operations/diagnosis/schema.ts";
import type { NodeTrial, Talk } from "../shared-log.ts";

const check = "Node addresses";
/** Longer than a node tries an address. */
const patienceMs = 3_000;
const lookMs = 50;

/** Has all nodes try the addresses of the others. Empty where fewer than two answer; those of earlier versions try nothing. */
export async function examineUrls(
  talk: Pick<Talk, "peers" | "states" | "haveTried">,
  waitMs = patienceMs,
): Promise<Finding[]> {
  const [peers, states] = await Promise.all([talk.peers([], 0), talk.states()]);
  const named = peers.filter(({ node }) => node !== null);
  const tried = states.flatMap(({ node, url }) => {
    const id = named.find((one) => one.node === node)?.id ?? null;
    return id === null ? [] : [{ node, id, url, trials: [] as NodeTrial[] }];
  });
  for (const one of tried) talk.haveTried(one, (trial) => one.trials.push(trial));
  const end = performance.now() + waitMs;
  const isComplete = () => tried.every(({ trials }) => trials.length >= named.length - 1);
  while (!isComplete() && performance.now() < end) await Bun.sleep(lookMs);
  const found = tried.filter(({ trials }) => trials.length > 0);
  const faults = found.flatMap(({ node, url, trials }): Finding[] => {
    const failed = trials.filter(({ fault }) => fault !== null);
    if (failed.length === 0) return [];
    const who = failed.map((one) => one.node).join(" and ");
    const why = [...new Set(failed.map(({ fault }) => fault))].join("; ");
    const verdict = failed.length === trials.length ? "problem" : "warning";
    const finding = `${who} ${failed.length === 1 ? "does" : "do"} not reach ${node} at ${url}: ${why}.`;
    return [{ check, verdict, finding, remedy }];
  });
  if (faults.length > 0 || found.length === 0) return faults;
  return [
    well(check, `${found.map(({ node }) => node).join(", ")} are reached by the others at their node_url.`),
  ];
}

const remedy =
  "Set node_url of that node to the address at which the others reach it, and let them through its firewall; then restart it. With https, " +
  "node_ca names who signed its certificate.";
