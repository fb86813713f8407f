import type { Tell } from "@/operations/import/schema.ts";
import type { Fetcher } from "./fetching.ts";
import type { Intake } from "./intake.ts";

/** What a reader of a source is given. */
export interface Reading {
  /** The unpacked export. */
  folder: string;
  intake: Intake;
  tell: Tell;
  /** Fetches what the export only links to; null if that was not asked for. */
  fetcher: Fetcher | null;
}

export interface Reader {
  /** Reads everything; returns the organization's name, if the export has it. */
  read(reading: Reading): Promise<string | null>;
  /** The hosts of the files that an export only links to. */
  fetchesFrom: readonly string[];
}
