// Shared by commands with --follow, which run until Ctrl+C, or until their output is closed.
import { complain } from "./output.ts";
import { Unreachable } from "./server.ts";

const againMs = 1000;

/**
 * Calls `step` again and again; it returns false to end. While the server cannot be reached, says so once and tries again.
 * `interrupted` ends a request that waits: the process would live until it is answered.
 */
export async function follow(step: (interrupted: AbortSignal) => Promise<boolean>): Promise<void> {
  const ending = new AbortController();
  const { promise: interrupted, resolve } = Promise.withResolvers<false>();
  const interrupt = () => {
    resolve(false);
    ending.abort();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, interrupt);
  let isAway = false;
  const stepGuarded = async () => {
    try {
      const goesOn = await step(ending.signal);
      isAway = false;
      return goesOn;
    } catch (error) {
      if (ending.signal.aborted) return false;
      if (!(error instanceof Unreachable)) throw error;
      if (!isAway) complain(`${error.message.replace(/\.$/, "")}; waiting for it.`);
      isAway = true;
      await Bun.sleep(againMs);
      return true;
    }
  };
  try {
    while (await Promise.race([stepGuarded(), interrupted]));
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}
