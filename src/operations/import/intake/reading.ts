import type { Tell } from "@/operations/import/schema.ts";
import type { Contents } from "./contents.ts";
import type { Fetcher } from "./fetching.ts";
import type { Intake } from "./intake.ts";

/** The input of a reader. */
export interface Reading {
  /** The unpacked export. */
  contents: Contents;
  intake: Intake;
  tell: Tell;
  /** Fetches files that the export only links to; null if they are not to be fetched. */
  fetcher: Fetcher | null;
}

export interface Reader {
  /** Reads the whole export; returns the organization's name, if the export has it. */
  read(reading: Reading): Promise<string | null>;
  /** The hosts of files that exports link to. */
  fetchesFrom: readonly string[];
}
