// Faults that are caused as often as `npm run test:cluster -- --times 20` says, and what each of them cost.
import { test } from "bun:test";
import { earlier, note } from "./noted.ts";

const times = Number(process.env.CONFAB_CLUSTER_KILLS ?? 1);

/** The name of a fault in the results: its title up to a colon. */
export const kindOf = (title: string) => title.split(": ")[0] as string;

/** How often a fault is still to be caused. */
export function remaining(title: string): number {
  const done = earlier.filter((one) => "done" in one && one.done === kindOf(title)).length;
  return Math.max(0, times - done);
}

/** A test of a fault, repeated as often as it remains to be caused. */
export function eachTime(title: string, run: (n: number) => Promise<void>, patienceMs = 300_000): void {
  const kind = kindOf(title);
  if (remaining(title) === 0) test.skip(`${title} (in the results)`, () => {});
  // Another try of a test that failed gets another number.
  let runs = times - remaining(title);
  for (let n = runs + 1; n <= times; n++) {
    test(
      `${title} (${n} of ${times})`,
      async () => {
        const began = performance.now();
        try {
          await run(++runs);
        } catch (error) {
          note({ failed: kind, error: String(error).slice(0, 1_000) });
          throw error;
        }
        note({ done: kind, ms: Math.round(performance.now() - began) });
      },
      patienceMs,
    );
  }
}
