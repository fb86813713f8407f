// Reads an export as a whole, before anything is written.
import { join } from "node:path";
import { UnpackedFiles } from "./intake/contents.ts";
import { Fetcher } from "./intake/fetching.ts";
import { Intake } from "./intake/intake.ts";
import { Spool } from "./intake/store-spool.ts";
import { unpackExport } from "./intake/unpacking.ts";
import { readers } from "./readers.ts";
import type { ImportFindings, ImportOptions } from "./report.ts";
import type { OnProgress } from "./schema.ts";
import type { Staging } from "./staging.ts";

/** Unpacks, reads and checks all of the export; counts what cannot be imported. */
export async function readInto(
  staging: Staging,
  options: ImportOptions,
  onProgress: OnProgress,
): Promise<Spool> {
  const spool = Spool.create(staging.spool);
  try {
    const { read, fetchesFrom } = readers[options.source];
    const apart = await unpackExport(options.file, staging.exported, onProgress);
    const contents = new UnpackedFiles(staging.exported);
    const intake = new Intake(spool, options);
    const fetched = join(staging.folder, "fetched");
    const fetcher = options.fetch && new Fetcher(fetched, fetchesFrom, options.fetch);
    const organization = await read({ contents, intake, onProgress, fetcher });
    intake.end();
    spool.finish();
    onProgress("Counting", 0, 0);
    const notRead = [...apart, ...contents.unread()];
    spool.setFact("found", {
      organization,
      counts: spool.counts(),
      notRead,
      remarks: [],
    } satisfies ImportFindings);
    return spool;
  } catch (error) {
    spool.close();
    throw error;
  }
}
