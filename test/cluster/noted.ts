// What a run of the faults found, in a file that the next run reads.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** A file of results as lines of JSON. Those of an interrupted run are not repeated. */
const results = process.env.CONFAB_CLUSTER_RESULTS;

export type Result =
  | { done: string; ms: number }
  | { failed: string; error: string }
  /** A nats-server that had to be started again. */
  | { restarted: string }
  | { outage: string; ms: number; acknowledged: number; anew: number };

const lines = results && existsSync(results) ? readFileSync(results, "utf8").split("\n") : [];
/** Of earlier runs. */
export const earlier = lines.filter(Boolean).map((line) => JSON.parse(line) as Result);

export function note(result: Result): void {
  if (results) appendFileSync(results, `${JSON.stringify(result)}\n`);
}
