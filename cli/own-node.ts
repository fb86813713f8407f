// Next to the data folder of a node, commands ask its server: what is written goes through the log of all nodes.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { addressOf } from "./lock.ts";
import { dataOption, type OrganizationTarget } from "./organization.ts";
import type { CommandServer } from "./remote.ts";
import { serverAt } from "./server.ts";

const tokenFile = "confab.operator";

/** Lets commands next to the folder of a node act for the operator. */
export function noteToken(dataDir: string, token: string): void {
  writeFileSync(join(dataDir, tokenFile), `${token}\n`, { mode: 0o600 });
}

/** Called by a standalone server: its folder is opened directly. */
export function forgetToken(dataDir: string): void {
  rmSync(join(dataDir, tokenFile), { force: true });
}

/** Whether a data folder belongs to a node. */
export function isNodeFolder(dataDir: string): boolean {
  return existsSync(join(dataDir, tokenFile));
}

/** The token of a node's folder. */
export function tokenIn(dataDir: string): string {
  return readFileSync(join(dataDir, tokenFile), "utf8").trim();
}

/** Throws for the folder of a node; `remedy` is a sentence that says what to do instead. */
export function refuseNode(dataDir: string, remedy: string): void {
  if (isNodeFolder(dataDir)) fail("BAD_REQUEST", `${dataDir} belongs to a cluster's node. ${remedy}`);
}

/** The server of a node's folder, asked for the operator; throws if it does not run. */
export async function serverOfNode(target: OrganizationTarget): Promise<CommandServer> {
  const { runAt } = await import("./remote.ts");
  if (addressOf(target.dataDir) === null) notRunning(target.dataDir);
  const server = serverAt(
    async (path, init) => (await askNode(target, path, init)) ?? notRunning(target.dataDir),
  );
  return { ...server, run: (line) => runAt(server, line) };
}

/** The answer of the server of a node's folder, asked for the operator; null if it does not run. */
export async function askNode(
  { dataDir, as }: OrganizationTarget,
  path: string,
  init: RequestInit = {},
): Promise<Response | null> {
  const { operatorHeader } = await import("@/foundation/auth/host.ts");
  const address = addressOf(dataDir);
  if (address === null) return null;
  const authorization = operatorHeader(tokenIn(dataDir), as);
  return fetch(`${address}${path}`, {
    redirect: "error",
    ...init,
    // The certificate names the public host, but this connects to the local machine.
    tls: { rejectUnauthorized: false },
    headers: { ...(init.headers as Record<string, string>), authorization, "user-agent": "confab/1" },
  });
}

function notRunning(dataDir: string): never {
  fail(
    "BAD_REQUEST",
    `${dataDir} belongs to a cluster's node, whose server does not run. Start it with 'confab serve${dataOption(dataDir)}', ` +
      "or run the command where another node runs.",
  );
}
