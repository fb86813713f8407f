import type { OnProgress } from "@/operations/import/schema.ts";
import type { UnpackedFiles } from "./contents.ts";
import type { Fetcher } from "./fetching.ts";
import type { Intake } from "./intake.ts";

/** The input of a reader. */
export interface ExportReading {
  /** The unpacked export. */
  contents: UnpackedFiles;
  intake: Intake;
  onProgress: OnProgress;
  /** Fetches files that the export only links to; null if they are not to be fetched. */
  fetcher: Fetcher | null;
}

export interface ExportReader {
  /** Reads the whole export; returns the organization's name, if the export has it. */
  read(reading: ExportReading): Promise<string | null>;
  /** The hosts of files that exports link to. */
  fetchesFrom: readonly string[];
}
