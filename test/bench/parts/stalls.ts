// The slowest requests of every endpoint in a large organization, and the longest delay that any causes for other requests.
import { type Case, inFrontOfAll, worstCases } from "../../support/stalls/cases.ts";
import type { Filled } from "../../support/stalls/filled.ts";
import { mostMs, openTrial, shortest } from "../../support/stalls/measure.ts";
import type { Part } from "../bench.ts";

export const stalls: Part = {
  name: "stalls",
  async run(bench) {
    bench.progress("filling 10,000 people");
    const trial = await openTrial();
    let longest = 0;
    const measure = async (id: string, filled: Filled, cases: readonly Case[]) => {
      for (const one of cases) {
        const stall = (await shortest(trial, filled, one)).longest;
        if (stall > longest) bench.progress(`${id}: ${one.what}: ${stall.toFixed(0)} ms`);
        longest = Math.max(longest, stall);
      }
    };
    try {
      await measure("update-stream", await trial.ready(true), inFrontOfAll);
      const filled = await trial.ready();
      for (const [id, cases] of Object.entries(worstCases)) await measure(id, filled, cases);
    } finally {
      await trial.end();
    }
    const what = "longest stall of another request";
    bench.add({ what, unit: "ms", base: null, confab: longest, limit: { most: mostMs } });
  },
};
