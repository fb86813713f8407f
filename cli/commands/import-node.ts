// Imports next to the folder of a cluster's node: the log starts over with the organization that the import has made.
import { type Core, type CoreOptions, openCore } from "@/core.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { ImportInput } from "@/operations/import/host.ts";
import { storesIn } from "../stores.ts";
import { clusterIn, translateErrors } from "./cluster-settings.ts";

type Into = Pick<ImportInput, "open" | "replacement">;

interface NodeImport<R> {
  dataDir: string;
  /** The address of the server, if it was given. */
  site: string | undefined;
  /** Imports into the folder. */
  run: (into: Into) => Promise<R>;
}

/** Nothing of the folder changes before all of it is imported, as on a single server. */
export async function importOnNode<R>({ dataDir, site, run }: NodeImport<R>): Promise<R> {
  const how = clusterIn(dataDir);
  if (!how) {
    return fail(
      "BAD_REQUEST",
      `${dataDir} belongs to a cluster's node: name the cluster in confab.toml, as for 'confab serve'.`,
    );
  }
  const { openLeading, replaceOrganization } = await import("@/cluster/host.ts");
  const common = { stores: storesIn(dataDir), ...(site === undefined ? {} : { site }) };
  const openFor = (folder: string, more: CoreOptions = {}): Core => openCore(folder, { ...common, ...more });
  let thrown: unknown = null;
  const imported = replaceOrganization({ dataDir, ...how }, async ({ begin, ...replacement }) => {
    const open = async (folder: string) => {
      if (folder !== dataDir) return openFor(folder);
      await begin();
      return openLeading(how, (commitLog) => openFor(folder, { commitLog, hosting: true }));
    };
    try {
      return await run({ open, replacement });
    } catch (error) {
      thrown = error;
      throw error;
    }
  });
  return translateErrors(imported).catch((error) => {
    throw thrown ?? error;
  });
}
