// What the running server says about itself.
import { z } from "zod";
import { version } from "../../../package.json";
import { type Finding, well } from "./schema.ts";

const patienceMs = 5000;

const answer = z.object({ status: z.string(), version: z.string(), problem: z.string().optional() });

export const failingRemedy =
  "See to that; the server goes on by itself. Its log says more: 'confab logs', or what it writes to standard error.";

interface Health {
  /** Whether it is a Confab of this version. */
  isThis: boolean;
  /** What it says is wrong; null if it works. */
  problem: string | null;
}

/** Asks the server at an address how it is; throws if it does not answer. */
export async function healthAt(address: string, tls: Bun.TLSOptions = {}): Promise<Health> {
  const given = await fetch(`${address}/health`, { signal: AbortSignal.timeout(patienceMs), tls });
  const found = answer.safeParse(await given.json().catch(() => null)).data;
  const problem = given.ok ? null : (found?.problem ?? `status ${given.status}`);
  return { isThis: found?.version === version, problem };
}

/** What the folder's server says, at its address on this machine. */
export async function examineServer(address: string): Promise<Finding> {
  const problem = (finding: string, remedy: string): Finding => ({
    check: "Server",
    verdict: "problem",
    finding,
    remedy,
  });
  try {
    // The certificate names the public host, but this connects to the local machine.
    const found = await healthAt(address, { rejectUnauthorized: false });
    if (found.problem !== null)
      return problem(`It says: ${found.problem} (${address}/health)`, failingRemedy);
    if (!found.isThis)
      return {
        check: "Server",
        verdict: "warning",
        finding: `What answers at ${address} is not Confab ${version}.`,
        remedy: "If Confab was upgraded while it ran, restart the server.",
      };
    return well("Server", `It works, as ${address}/health says.`);
  } catch (error) {
    return problem(
      `It runs, and does not answer at ${address} (${(error as Error).message}).`,
      "Look at its log, and restart it.",
    );
  }
}
