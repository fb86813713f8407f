import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { holdsRealOrganization } from "./store.ts";

/** Throws unless a data folder is empty or holds a sample: development mode lets anyone in as anybody. */
export function checkSample(dataDir: string): void {
  const path = join(dataDir, databaseFile);
  if (!existsSync(path) || !holdsRealOrganization(path)) return;
  fail(
    "BAD_REQUEST",
    `${resolve(dataDir)} holds an organization that is not marked as a sample (earlier versions did not mark theirs), and --dev lets anyone in without a password. ` +
      "Name an empty folder with --data.",
  );
}
