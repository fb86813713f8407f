// `serve --dev`: a server for this machine only, with sample people and conversations.
import { z } from "zod";
import type { Core } from "@/core.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { openStaging, placeOrganization } from "@/operations/data-folder/host.ts";
import { hasOrganizationIn } from "@/operations/data-folder/queries.ts";
import { account } from "../accounts.ts";
import type { CommandCall } from "../command.ts";
import { openFolder } from "../organization.ts";
import { bold, table } from "../output.ts";
import { newSalt } from "./init.ts";

export const sampleAccountShape = z.object({ email: z.string(), full_name: z.string(), role: z.string() });
export type SampleAccount = z.infer<typeof sampleAccountShape>;

interface Reachable {
  host?: string | undefined;
  domain?: string | undefined;
  site?: string | undefined;
  trusted_proxy?: unknown;
}

const isLoopback = (host: string) =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/** Anyone who can reach such a server can log in as anybody, so it must not be reachable from elsewhere. */
export function checkDevelopment(
  { host = "127.0.0.1", domain, site, trusted_proxy }: Reachable,
  given: CommandCall["given"],
): void {
  const isLocalSite = site === undefined || isLoopback(new URL(site).hostname.replaceAll(/[[\]]/g, ""));
  if (!isLoopback(host) || !isLocalSite || trusted_proxy !== undefined || domain !== undefined) {
    fail(
      "BAD_REQUEST",
      "--dev lets anyone in without a password, so it only listens on this machine, at 127.0.0.1.",
    );
  }
  if (["org", "owner_email", "owner_name", "language"].some((name) => name in given)) {
    fail(
      "BAD_REQUEST",
      "--dev creates its own organization: leave out --org, --owner-email, --owner-name and --language.",
    );
  }
}

/** Fills a folder without an organization: all of the sample or, if the process is killed, nothing. The caller holds its lock. */
export async function fillEmpty(dataDir: string): Promise<void> {
  if (hasOrganizationIn(dataDir)) return;
  const { fillSample, sampleClock } = await import("@/operations/dev/host.ts");
  const clock = sampleClock(Math.floor(Date.now() / 1000));
  const staging = openStaging("sample", dataDir);
  try {
    const app = await openFolder(staging.folder, { hosting: true, clock });
    try {
      await fillSample(app, clock, newSalt());
    } finally {
      await app.close();
    }
    await placeOrganization(staging.folder, dataDir);
  } finally {
    staging.remove();
  }
}

/** The sample accounts that anyone may log in to. */
export async function accountsOf(app: Core): Promise<SampleAccount[]> {
  const { listUsers } = await import("@/foundation/accounts/queries.ts");
  const active = listUsers(app.system, {}).filter((user) => user.is_active);
  return active.map((user) => {
    const { email, full_name, role } = account(user);
    return { email, full_name, role: user.is_bot ? "bot" : role };
  });
}

export function developmentBanner(
  { site, local, dataDir }: { site: string; local: string; dataDir: string },
  accounts: readonly SampleAccount[],
): string {
  const [first] = accounts;
  return [
    `Confab is ready at ${bold(site)}, for development on this machine`,
    "",
    table(
      ["email", "name", "role"],
      accounts.map(({ email, full_name, role }) => [email, full_name, role]),
    ).replaceAll(/^/gm, "  "),
    "",
    "Open the address in a browser and sign in as any of them, or get an API key without a password:",
    "",
    `  curl -sS -X POST '${local}/api/v1/dev_fetch_api_key?username=${first?.email ?? ""}'`,
    "",
    `The data folder is ${dataDir}. Stop with Ctrl+C.`,
  ].join("\n");
}
