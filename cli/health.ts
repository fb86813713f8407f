import { fail } from "@/kernel/errors.ts";
import { type Health, health as shape } from "@/operations/metrics/schema.ts";
import { standalone } from "./command.ts";
import { addressOf } from "./lock.ts";
import { checkOrganization } from "./organization.ts";

const patienceMs = 5000;

export default [
  standalone({
    name: "health",
    summary: "Check whether the running server works",
    about:
      "Calls GET /health of the server that runs on the data folder, on this machine. Exits with status 1 if no server " +
      "runs or answers, or if its last write failed (disk full, for example). Meant for container health checks.",
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
    // The certificate names the public host, but this connects to the local machine.
    const tls = { rejectUnauthorized: false };
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(patienceMs), tls });
    return shape.parse(await answer.json());
  } catch (error) {
    return fail("BAD_REQUEST", `the server does not answer at ${address} (${(error as Error).message}).`);
  }
}
