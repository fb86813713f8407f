// Whether this user may read a data folder.
import { statSync } from "node:fs";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";

/** Throws if the folder belongs to another user; otherwise its files would seem to be missing. */
export function checkLooking(dataDir: string): void {
  try {
    statSync(`${dataDir}/.`, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as { code?: string }).code !== "EACCES") return;
    fail(
      "BAD_REQUEST",
      `no permission to read ${dataDir}; run this as the user that the server runs as, for example with 'sudo -u confab'.`,
    );
  }
}
