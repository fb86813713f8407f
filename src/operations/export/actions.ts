import { recordAudit } from "@/foundation/audit/actions.ts";
import { removeFile } from "@/foundation/files/files.ts";
import { allow, me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import { activePeople } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { exportFor, personFor } from "./access.ts";
import { presentExport } from "./queries.ts";
import { type ExportType, exportLimits, exportsChanged, exportTypes } from "./schema.ts";
import * as store from "./store.ts";

const week = 7 * 86_400;

/** Requests an export, which a job writes later; returns its ID. */
export const requestExport = action(allow.admin, (tx, type: ExportType | "full_without_consent"): number => {
  if (type === "full_without_consent")
    fail("BAD_REQUEST", "Private data is exported only of people who agree to it.");
  if (store.countOfLast(tx, week) >= exportLimits.perWeek) {
    fail("BAD_REQUEST", `At most ${exportLimits.perWeek} exports can be made in a week.`);
  }
  if (type === exportTypes.standard && !hasConsentingOwner(tx)) {
    fail("BAD_REQUEST", "At least one organization owner must allow their private data to be exported.");
  }

  const id = store.insertExport(tx, { acting_user_id: me(tx).id, export_type: type });
  emitExports(tx);
  recordAudit(tx, {
    event: "export_started",
    about: { kind: "export", id, name: contentsNamed[type] },
    data: { export_type: type, ...(type === exportTypes.standard && { user_ids: consentingUsers(tx) }) },
  });
  return id;
});

const contentsNamed = {
  [exportTypes.public]: "public data",
  [exportTypes.standard]: "public and private data",
};

/** Those whose private data would be in an export of now. The job that writes it reads this again. */
function consentingUsers(tx: Tx): number[] {
  return activePeople(tx)
    .filter(({ id }) => settingOf(tx, id, "allow_private_data_export"))
    .map(({ id }) => id);
}

function hasConsentingOwner(tx: Tx): boolean {
  return activePeople(tx).some(
    ({ id, role }) => role === roles.owner && settingOf(tx, id, "allow_private_data_export"),
  );
}

/** Deletes an export's file. The export stays in the list. */
export const deleteExport = operation(allow.admin, async (ctx, id: number): Promise<void> => {
  await removeFile(ctx.env, { shelf: "exports", name: await forgetFile(ctx, id) });
});

const forgetFile = action(allow.admin, (tx, id: number): string => {
  const { file, export_type } = exportFor(tx, id);

  store.setDeleted(tx, id);
  emitExports(tx);
  recordAudit(tx, {
    event: "export_deleted",
    about: { kind: "export", id, name: contentsNamed[export_type] },
  });
  return file;
});

/** Records that the operator wrote all data to a file, or all of one user's. */
export const recordExport = action(allow.owner, (tx, userId: number | null): void => {
  const name = userId === null ? "all data" : null;
  recordAudit(tx, { event: "export_written", about: { kind: "export", name }, personId: userId });
});

/** Notes that an owner gets a person's data, to which the person has agreed. */
export const beginPersonExport = action(allow.owner, (tx, userId: number): void => {
  const { id } = personFor(tx, userId);
  if (!settingOf(tx, id, "allow_private_data_export"))
    fail("BAD_REQUEST", "This person has not agreed to the export of their private data.");
  recordExport.in(tx, id);
});

export interface ExportInput {
  /** Path of the database. */
  database: string;
  file: string;
  overwrite: boolean;
  /** Whose data to export; null for everything. */
  userId: number | null;
  /** UNIX seconds. */
  now: number;
  /** Called every thousand rows and at the end of each section. */
  report(section: string, rows: number): void;
}

/** Emits the list of exports to administrators. */
export function emitExports(tx: Tx): void {
  const admins = usersUpTo(tx, roles.admin);
  const people = activePeople(tx).filter(({ id }) => admins.has(id));
  const exports = store.listExports(tx).map(presentExport);
  tx.emit(exportsChanged, { to: people.map(({ id }) => id) }, { exports, site: tx.env.site });
}
