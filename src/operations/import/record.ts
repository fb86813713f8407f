// The audit entry of an import. It prevents importing the same export twice, and tells which accounts were imported.
import { join } from "node:path";
import { z } from "zod";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { action } from "@/kernel/core/operation.ts";
import { hasOrganizationIn } from "@/operations/data-folder/queries.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { type ImportReport, importReport } from "./schema.ts";
import * as store from "./store.ts";

const entry = importReport
  .omit({
    dry_run: true,
    lost: true,
    not_read: true,
    matches: true,
    invitations: true,
    remarks: true,
    seconds: true,
  })
  .extend({
    sha256: z.string(),
    /** The imported accounts are in this range of IDs. */
    first_user_id: z.int(),
    last_user_id: z.int(),
  });
type Entry = z.infer<typeof entry>;

interface Imported {
  report: ImportReport;
  sha256: string;
  firstUserId: number;
}

/** Records an import, unless that was done before an interruption. */
export const recordImport = action(
  allow.system,
  (tx, { report, sha256, firstUserId: first_user_id }: Imported): void => {
    if (store.isImported(tx, sha256)) return;
    const last_user_id = store.lastIdOf(tx, "users");
    const data = entry.parse({ ...report, sha256, first_user_id, last_user_id });
    recordAudit(tx, { event: "imported", about: { kind: "realm" }, data });
  },
);

/** The entry of an export that was imported into a data folder, and the day; null if it was not imported. */
export function earlierImport(dataDir: string, sha256: string): { entry: Entry; day: string } | null {
  if (!hasOrganizationIn(dataDir)) return null;
  const found = store.findImport(join(dataDir, databaseFile), sha256);
  if (!found) return null;
  const day = new Date(found.at * 1000).toISOString().slice(0, 10);
  return { entry: entry.parse(JSON.parse(found.data)), day };
}

export const importedText = ({ day }: { day: string }): string =>
  `This export was imported on ${day} already.`;

/** The report of a run whose export was imported before. */
export function reportRepeated(earlier: { entry: Entry; day: string }): ImportReport {
  const { sha256: _, first_user_id: __, last_user_id: ___, ...counts } = earlier.entry;
  const remarks = [`${importedText(earlier)} Nothing was added.`];
  return {
    ...counts,
    dry_run: false,
    lost: [],
    not_read: [],
    matches: [],
    invitations: null,
    remarks,
    seconds: 0,
  };
}
