import { closeSync, fsyncSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { runSync } from "@/kernel/lib/tasks.ts";
import { syncFolderNow } from "@/kernel/store/durable.ts";
import { checkTarget, notWritten, openPrivate } from "@/operations/data-folder/host.ts";
import type { ExportInput } from "./actions.ts";
import { writeDocument } from "./document.ts";
import type { Exported } from "./schema.ts";
import { organizationSections } from "./sections.ts";
import { userSections } from "./store-person.ts";
import { openSnapshot } from "./store-snapshot.ts";

/** Writes the data of the organization, or of one user, as one JSON document, row by row. */
export function exportData({ database, file, overwrite, userId, now, report }: ExportInput): Exported {
  checkTarget(file, overwrite);
  const contents =
    userId === null ? { sections: organizationSections } : { sections: userSections, params: [userId] };
  const partial = `${file}.partial`;
  let descriptor: number | null = null;
  try {
    descriptor = openPrivate(partial);
    const rows = runSync(writeDocument(openSnapshot(database), contents, { descriptor, now, report }));
    fsyncSync(descriptor);
    renameSync(partial, file);
    syncFolderNow(dirname(resolve(file)));
    return { file, rows };
  } catch (error) {
    return notWritten(file, error);
  } finally {
    if (descriptor !== null) {
      closeSync(descriptor);
      rmSync(partial, { force: true });
    }
  }
}
