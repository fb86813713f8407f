import { fail } from "@/kernel/errors.ts";
import { type Health, health as shape } from "@/operations/metrics/schema.ts";
import { standalone } from "./command.ts";
import { addressOf } from "./lock.ts";
import { checkOrganization } from "./organization.ts";

const patienceMs = 5000;

export default [
  standalone({
    name: "health",
    summary: "Ask the running server whether it can do its work",
    about:
      "Asks the server that runs on the data folder, on this machine, for its GET /health. Ends with status 1 where none " +
      "runs or answers, and where the last write failed, as on a full disk: made for the health checks of containers.",
    examples: ["confab health", "confab health --data /srv/confab --json"],
    args: {},
    result: shape,
    async run({ dataDir, show }) {
      await checkOrganization(dataDir);
      const address = addressOf(dataDir) ?? fail("BAD_REQUEST", `no server runs on ${dataDir}.`);
      const found = await asked(address);
      await show(found);
      if (found.status !== "ok") fail("BAD_REQUEST", found.problem ?? "the server is failing.");
    },
    json: (found: Health) => found,
    print: ({ status, version }: Health) => `Confab ${version}: ${status}`,
  }),
];

async function asked(address: string): Promise<Health> {
  try {
    // The certificate is for the name that people use; this is the same machine.
    const tls = { rejectUnauthorized: false };
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(patienceMs), tls });
    return shape.parse(await answer.json());
  } catch (error) {
    return fail("BAD_REQUEST", `the server does not answer at ${address} (${(error as Error).message}).`);
  }
}
