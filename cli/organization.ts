// The organization a command works on, opened beside a server that may be running on it.
import { statSync } from "node:fs";
import type { App, OpenOptions } from "@/app.ts";
import type { Core, CoreOptions } from "@/core.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { harmless } from "@/kernel/harmless.ts";
import { diskReason } from "@/operations/data-folder/schema.ts";

export const defaultData = "./confab-data";

export interface Place {
  dataDir: string;
  /** Who acts; null for the first active owner. */
  as: string | null;
}

/** The name under which what the command line writes is shown to people. */
const client = "confab";

export async function asOperator<R>({ dataDir, as }: Place, work: (ctx: Ctx) => R | Promise<R>): Promise<R> {
  await checkOrganization(dataDir);
  const [{ hasOrganization }, { operator }] = await Promise.all([
    import("@/foundation/realm/queries.ts"),
    import("@/foundation/users/queries.ts"),
  ]);
  const app = await openFolder(dataDir);
  try {
    if (!hasOrganization(app.system)) nothingIn(dataDir);
    const { id } = operator(app.system, as);
    return await work(app.ctx({ kind: "user", id, client }));
  } finally {
    await app.close();
  }
}

/** Throws where a folder holds no data, or no longer: opening it would make it a data folder. */
export async function checkOrganization(dataDir: string): Promise<void> {
  const { checkNotLost, isDataFolder } = await import("@/operations/data-folder/queries.ts");
  checkLooking(dataDir);
  checkNotLost(dataDir);
  if (!isDataFolder(dataDir)) nothingIn(dataDir);
}

/** Throws where a folder is somebody else's: what is in it only seems not to be there. */
export function checkLooking(dataDir: string): void {
  try {
    statSync(`${dataDir}/.`, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as { code?: string }).code !== "EACCES") return;
    fail(
      "BAD_REQUEST",
      `you may not look into ${dataDir}; run this as the user the server runs as, such as with 'sudo -u confab'.`,
    );
  }
}

/** What names the folder to another command; nothing where that finds it by itself. */
export function placeOption(dataDir: string): string {
  const isUsual = dataDir === (process.env.CONFAB_DATA || defaultData);
  if (isUsual) return "";
  return ` --data ${/^[\w./@+-]+$/.test(dataDir) ? dataDir : `"${harmless(dataDir)}"`}`;
}

function nothingIn(dataDir: string): never {
  fail(
    "BAD_REQUEST",
    `There is no organization in ${dataDir}; name its folder with --data, or create one with 'confab init' or 'confab serve'.`,
  );
}

/** As `openCore`; where the folder or its database cannot be used, says why. */
export async function openFolder(dataDir: string, options?: CoreOptions): Promise<Core> {
  const { openCore } = await import("@/core.ts");
  return usable(dataDir, () => openCore(dataDir, options));
}

/** The same with HTTP. */
export async function openApp(dataDir: string, options: OpenOptions): Promise<App> {
  const { open } = await import("@/app.ts");
  return usable(dataDir, () => open(dataDir, options));
}

function usable<T>(dataDir: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    return unusable(dataDir, error);
  }
}

export function unusable(dataDir: string, error: unknown): never {
  const reason = diskReason(error) ?? fail("BAD_REQUEST", (error as Error).message);
  fail("BAD_REQUEST", `the data folder ${dataDir} cannot be used: ${reason}. Name another one with --data.`);
}
