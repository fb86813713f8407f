import { closeSync, fsyncSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { pathOf, removeFile } from "@/foundation/files/files.ts";
import { allow, me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import { activePeople } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { syncFolderNow } from "@/kernel/durable.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { atOnce } from "@/kernel/steps.ts";
import { checkTarget, notWritten, openPrivate } from "@/operations/backup/target.ts";
import { exportFor } from "./access.ts";
import { writeDocument } from "./document.ts";
import { presentExport } from "./present.ts";
import { type Exported, type ExportType, exportLimits, exportsChanged, exportTypes } from "./schema.ts";
import * as store from "./store.ts";
import { userSections } from "./store-person.ts";
import { organizationSections } from "./store-sections.ts";
import { openSnapshot } from "./store-snapshot.ts";

const week = 7 * 86_400;

/** Requests an export, which the server writes later; returns its ID. */
export const requestExport = action(allow.admin, (tx, type: ExportType): number => {
  if (store.countSince(tx, tx.now - week) >= exportLimits.perWeek) {
    fail("BAD_REQUEST", `At most ${exportLimits.perWeek} exports can be made in a week.`);
  }
  if (type === exportTypes.standard && !hasConsentingOwner(tx)) {
    fail("BAD_REQUEST", "At least one organization owner must allow their private data to be exported.");
  }

  const id = store.insertExport(tx, { acting_user_id: me(tx).id, export_type: type });
  tellExports(tx);
  recordAudit(tx, { event: "export_started", about: { kind: "export", id }, data: { export_type: type } });
  return id;
});

function hasConsentingOwner(tx: Tx): boolean {
  return activePeople(tx).some(
    ({ id, role }) => role === roles.owner && settingOf(tx, id, "allow_private_data_export"),
  );
}

/** Tells administrators of all exports, after one has changed. */
export function tellExports(tx: Tx): void {
  const admins = usersUpTo(tx, roles.admin);
  const people = activePeople(tx).filter(({ id }) => admins.has(id));
  const exports = store.listExports(tx).map((row) => presentExport(tx.env.site, row));
  tx.emit(exportsChanged, { to: people.map(({ id }) => id) }, { exports });
}

/** Takes an export's file away; that it was made stays known. */
export async function deleteExport(ctx: Ctx, id: number): Promise<void> {
  removeFile(pathOf(ctx.env, "exports", await forgetFile(ctx, id)));
}

const forgetFile = action(allow.admin, (tx, id: number): string => {
  const { file } = exportFor(tx, id);

  store.setDeleted(tx, id);
  tellExports(tx);
  recordAudit(tx, { event: "export_deleted", about: { kind: "export", id } });
  return file;
});

export interface ExportInput {
  /** The database's path. */
  database: string;
  file: string;
  overwrite: boolean;
  /** Whose data; null for everything. */
  userId: number | null;
  /** UNIX seconds. */
  now: number;
  /** Told after every thousand rows and at the end of each section. */
  report(section: string, rows: number): void;
}

/** Writes what the organization holds, or holds of one person, as one JSON document, row by row. */
export function exportData({ database, file, overwrite, userId, now, report }: ExportInput): Exported {
  checkTarget(file, overwrite);
  const contents =
    userId === null ? { sections: organizationSections } : { sections: userSections, params: [userId] };
  const partial = `${file}.partial`;
  let descriptor: number | null = null;
  try {
    descriptor = openPrivate(partial);
    const rows = atOnce(writeDocument(openSnapshot(database), contents, { descriptor, now, report }));
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
