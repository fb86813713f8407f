// Opens the organization that a command works on; a server may be running on it at the same time.
import type { App, OpenOptions } from "@/app.ts";
import type { Core, CoreOptions } from "@/core.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { endBeginning } from "@/operations/data-folder/host.ts";
import { isBeginning } from "@/operations/data-folder/queries.ts";
import { diskReason } from "@/operations/data-folder/schema.ts";
import { checkLooking } from "./looking.ts";

export const defaultData = "./confab-data";

export interface OrganizationTarget {
  dataDir: string;
  /** The email address of the acting user; null for the first active owner. */
  as: string | null;
}

/** The client name of everything written by the command line. */
const client = "confab";

export async function asOperator<R>(
  { dataDir, as }: OrganizationTarget,
  work: (ctx: Ctx) => R | Promise<R>,
  options?: CoreOptions,
): Promise<R> {
  await checkOrganization(dataDir);
  const [{ hasOrganization }, { operator }] = await Promise.all([
    import("@/foundation/realm-administration/queries.ts"),
    import("@/foundation/accounts/queries.ts"),
  ]);
  const app = await openFolder(dataDir, options);
  try {
    if (!hasOrganization(app.system)) nothingIn(dataDir);
    const { id } = operator(app.system, as);
    forgetBeginning(dataDir);
    return await work(app.ctx({ kind: "user", id, client, isOperator: true }));
  } finally {
    await app.close();
  }
}

/** A first start that was killed is not continued once somebody has used its organization. */
function forgetBeginning(dataDir: string): void {
  if (!isBeginning(dataDir)) return;
  try {
    endBeginning(dataDir);
  } catch {
    // The folder may only be readable; the command does its work all the same.
  }
}

/** As `asOperator`, for work that writes nothing; so the folder may also be that of a cluster's node. */
export function asReader<R>(target: OrganizationTarget, work: (ctx: Ctx) => R | Promise<R>): Promise<R> {
  return asOperator(target, work, { onlyReads: true });
}

/** Throws if a folder holds no data, or has lost it, because opening it would create a new database there. */
export async function checkOrganization(dataDir: string): Promise<void> {
  const { checkNotLost, isDataFolder } = await import("@/operations/data-folder/queries.ts");
  checkLooking(dataDir);
  checkNotLost(dataDir);
  if (isDataFolder(dataDir)) return;
  const { ownMachine, seatIn } = await import("@/cluster/machines/seat.ts");
  const seat = seatIn(dataDir);
  if (!seat || !ownMachine(seat).is_witness) return nothingIn(dataDir);
  fail(
    "BAD_REQUEST",
    `${dataDir} is that of a witness, which has no organization. Run the command on a node's machine.`,
  );
}

/** The --data option for use in a suggested command; empty for the default folder. */
export function dataOption(dataDir: string): string {
  const isDefault = dataDir === (process.env.CONFAB_DATA || defaultData);
  if (isDefault) return "";
  return ` --data ${/^[\w./@+-]+$/.test(dataDir) ? dataDir : `"${stripControlCharacters(dataDir)}"`}`;
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
  const { storesIn } = await import("./stores.ts");
  return usable(dataDir, () => openCore(dataDir, { stores: storesIn(dataDir), ...options }));
}

/** The same with HTTP. */
export async function openApp(dataDir: string, options: OpenOptions): Promise<App> {
  const { open } = await import("@/app.ts");
  return usable(dataDir, () => open(dataDir, options));
}

/** What `open` returns; if it fails, says why the folder cannot be used. */
export function usable<T>(dataDir: string, open: () => T): T {
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
