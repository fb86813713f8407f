import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type Health, health as shape } from "@/operations/metrics/schema.ts";
import { standalone } from "../command.ts";
import { addressOf } from "../lock.ts";
import { checkOrganization } from "../organization.ts";
import type { Remote } from "../remote.ts";
import { failForeign, jsonIn, unreachable } from "../server.ts";

const patienceMs = 5000;

export default [
  standalone({
    name: "health",
    summary: "Check whether the running server works",
    about:
      "Calls GET /health of the server that runs on the data folder, on this machine, or of a remote server, which needs " +
      "no key. Exits with status 1 if no server runs or answers, or if its last write failed (disk full, for example). Meant " +
      "for container health checks and for monitoring.",
    examples: [
      "confab health",
      "confab health --data /srv/confab --json",
      "confab health --server https://chat.example.com",
    ],
    args: {},
    result: shape,
    runsRemotely: true,
    async run({ dataDir, remote, show }) {
      const found = remote ? await askRemotely(remote) : await askHere(dataDir);
      await show(found);
      if (found.status !== "ok") fail("BAD_REQUEST", found.problem ?? "the server is failing.");
    },
    json: (found: Health) => found,
    print: ({ status, version }: Health) => `Confab ${version}: ${status}`,
  }),
];

async function askHere(dataDir: string): Promise<Health> {
  await checkOrganization(dataDir);
  const address = addressOf(dataDir) ?? fail("BAD_REQUEST", `no server runs on ${dataDir}.`);
  // The certificate names the public host, but this connects to the local machine.
  return askHealth(address, { rejectUnauthorized: false });
}

async function askRemotely(remote: Remote): Promise<Health> {
  const { remoteAddress, trustIn } = await import("../remote.ts");
  const { server, ca } = remoteAddress(remote);
  return askHealth(server, trustIn(ca));
}

async function askHealth(address: string, tls: Bun.TLSOptions | undefined): Promise<Health> {
  const server = { address };
  const how: RequestInit = {
    signal: AbortSignal.timeout(patienceMs),
    redirect: "error",
    ...(tls && { tls }),
  };
  const { status, text } = await fetch(`${address}/health`, how)
    .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
    .catch((error) => unreachable(server, error));
  return shape.safeParse(jsonIn(text)).data ?? failForeign(server, status);
}
