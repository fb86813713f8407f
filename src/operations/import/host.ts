// Imports an export of another chat: reads and checks all of it, writes it into a copy of the database, and replaces the
// database with the copy. Before that last step nothing has changed, and a killed import continues where it stopped.
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { roles } from "@/foundation/permissions/schema.ts";
import { hasRealm } from "@/foundation/realm/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { createRealm, setSite } from "@/foundation/realm-administration/actions.ts";
import { activePeople, userFor } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { endBeginning, markFolder, placeDatabase, placeFiles } from "@/operations/data-folder/host.ts";
import { hasOrganizationIn } from "@/operations/data-folder/queries.ts";
import { databaseFile, isInside } from "@/operations/data-folder/schema.ts";
import { Spool } from "@/operations/import/intake/store-spool.ts";
import { importOwn, type OwnInput } from "@/operations/import/own/importing.ts";
import { inviteImported, wouldInvite } from "./inviting.ts";
import { filesRemark, keepOnDisk, leaveOnDisk, moveToNodes, nodesRemark } from "./placing-files.ts";
import { type Base, matchesOf, plan } from "./planning.ts";
import { readInto } from "./reading-exports.ts";
import { earlierImport, importedText, recordImport, reportRepeated } from "./record.ts";
import {
  checkOwner,
  type ImportOptions,
  type ImportReplacement,
  type OpenedImport,
  reportOf,
} from "./report.ts";
import type { ImportReport, InvitePlan, OnProgress } from "./schema.ts";
import {
  beginStaging,
  copyIn,
  copyInto,
  digestOf,
  isPlaced,
  machineStart,
  readState,
  type Staging,
  type StagingState,
  stagingIn,
  stampOf,
  writeState,
} from "./staging.ts";
import * as store from "./store.ts";
import { type MessageWriting, markRead, writeMessages } from "./writing-messages.ts";
import { writeFiles, writePlaces } from "./writing-places.ts";

interface Into {
  dataDir: string;
  onProgress: OnProgress;
  /** How to invite people without a password; null invites nobody. */
  invite: InvitePlan | null;
  /** Opens the core on a data folder, as `openCore` does. */
  open(dataDir: string): OpenedImport | Promise<OpenedImport>;
}

export interface ImportInput extends ImportOptions, Into {
  /** Random; for a new organization. */
  salt: string;
  /** The address of the server, for a new organization; null if it is not known. */
  site: string | null;
  /** For the folder of a cluster's node; null for a single server's. */
  replacement: ImportReplacement | null;
}

/** Reads and checks an export, and says what would be imported. Changes nothing in the data folder. */
export async function tryImport(input: ImportOptions & Into): Promise<ImportReport> {
  const { onProgress, ...options } = input;
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "confab-import-"));
  try {
    const staging = stagingIn(folder);
    beginStaging(staging);
    const spool = await readInto(staging, options, onProgress);
    try {
      const matches = await matchesIn(input, spool);
      const invitations = options.invite && wouldInvite(spool.people(), { by: options.invite.by, matches });
      const report = reportOf(spool, { options, dryRun: true, began });
      const earlier = earlierImport(input.dataDir, await digestOf(input.file));
      const remarks = [
        ...report.remarks,
        ...(earlier ? [importedText(earlier)] : []),
        ...(hasOrganizationIn(input.dataDir) ? [] : lackingOwner(spool, options)),
      ];
      return { ...report, known_people: matches.length, matches, invitations, remarks };
    } finally {
      spool.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why no organization can be made from an export, as a remark; none if it can. */
function lackingOwner(spool: Spool, options: ImportOptions): string[] {
  try {
    checkOwner(spool, options);
    return [];
  } catch (error) {
    if (error instanceof AppError) return [error.message];
    throw error;
  }
}

/** The people of the export who have an account in the organization, if the folder has one. */
async function matchesIn(
  { dataDir, source, open }: ImportOptions & Into,
  spool: Spool,
): Promise<ImportReport["matches"]> {
  if (!hasOrganizationIn(dataDir)) return [];
  const core = await open(dataDir);
  try {
    return matchesOf(core.system, spool.people(), source);
  } finally {
    await core.close();
  }
}

/** Throws if an import would change its export, or delete it; call it before the data folder is created. */
export function checkApart(file: string, dataDir: string): void {
  const data = withoutLinks(dataDir);
  if (isInside(withoutLinks(file), data)) {
    fail(
      "BAD_REQUEST",
      `The data folder ${data} is in the export, which would change with it: name another data folder with --data.`,
    );
  }
  checkKept(file, dataDir);
}

/** Throws if an import would delete its export. */
export function checkKept(file: string, dataDir: string): void {
  const { folder } = stagingIn(withoutLinks(dataDir));
  if (!isInside(folder, withoutLinks(file))) return;
  fail("BAD_REQUEST", `Move ${file} elsewhere first: an import empties the folder ${folder} when it begins.`);
}

/** The full path without links; its end need not exist. */
function withoutLinks(path: string): string {
  const full = resolve(path);
  return existsSync(full) ? realpathSync(full) : join(withoutLinks(dirname(full)), basename(full));
}

/** Imports our own export into a folder without an organization. The caller holds the folder's lock. */
export async function importDocument(input: OwnInput): Promise<ImportReport> {
  const { invite, dataDir, file } = input;
  if (invite === null || dataDir === null || !existsSync(file)) return importOwn(input);
  const sha256 = await digestOf(file);
  const earlier = earlierImport(dataDir, sha256);
  const report = earlier ? reportRepeated(earlier) : await importOwn(input, sha256);
  return inviteAll({ ...input, dataDir, invite }, { report, sha256 });
}

/** Imports an export. The caller holds the folder's lock, so that no server runs on it. */
export async function importExport(input: ImportInput): Promise<ImportReport> {
  const { invite, file, onProgress } = input;
  if (!existsSync(file)) fail("BAD_REQUEST", `There is no file ${file}.`);
  onProgress("Reading", 0, 0);
  const sha256 = await digestOf(file);
  const report = await importOnce(input, sha256);
  return invite === null ? report : inviteAll({ ...input, invite }, { report, sha256 });
}

/** Invites the people of an import that is done. */
async function inviteAll(
  { dataDir, invite, onProgress, open }: Into & { invite: InvitePlan },
  { report, sha256 }: { report: ImportReport; sha256: string },
): Promise<ImportReport> {
  const found = earlierImport(dataDir, sha256);
  if (!found) throw new Error("The import is not in the audit log");
  const { source, first_user_id: firstId, last_user_id: lastId } = found.entry;
  const core = await open(dataDir);
  try {
    const invitations = await inviteImported(core.system, { ...invite, source, firstId, lastId, onProgress });
    return { ...report, invitations };
  } finally {
    await core.close();
  }
}

async function importOnce(input: ImportInput, sha256: string): Promise<ImportReport> {
  const began = performance.now();
  const { dataDir } = input;
  const staging = stagingIn(dataDir);
  const held = store.holdWrites(join(dataDir, databaseFile));
  try {
    const known = readState(staging);
    if (known?.report && isPlaced(staging)) {
      finish(staging, dataDir);
      if (known.sha256 === sha256) return known.report;
    }
    const earlier = earlierImport(dataDir, sha256);
    if (earlier) return input.invite === null ? refuseTwice(earlier) : reportRepeated(earlier);
    const wanted = stateOf(input, sha256);
    const goesOn = known !== null && isSame(known, wanted) && existsSync(staging.spool);
    if (!goesOn) await prepare(staging, input, wanted);
    const report = await writeCopy(input, { staging, began, sha256 });
    await writeState(staging, { ...wanted, report });
    await placeFiles(staging.data, dataDir);
    held.release();
    if (stampOf(dataDir) !== wanted.database) {
      fail("BAD_REQUEST", "Another program changed the database during the import. Run the import again.");
    }
    await input.replacement?.seal(copyIn(staging));
    await placeDatabase(staging.data, dataDir);
    finish(staging, dataDir);
    return report;
  } finally {
    held.release();
  }
}

function refuseTwice(earlier: { day: string }): never {
  fail(
    "BAD_REQUEST",
    `${importedText(earlier)} Importing it again would double its messages. With --invite, people who have no password yet are ` +
      "invited, and nothing is imported.",
  );
}

function stateOf(
  { dataDir, source, organization, ownerEmail, allowMissing, fetch }: ImportInput,
  sha256: string,
): StagingState {
  const options = JSON.stringify({ organization, ownerEmail, allowMissing, fetches: fetch !== null });
  const database = stampOf(dataDir);
  return { format: 2, source, sha256, options, database, machineStart: machineStart(), report: null };
}

const isSame = (one: StagingState, other: StagingState) =>
  one.source === other.source &&
  one.sha256 === other.sha256 &&
  one.options === other.options &&
  one.machineStart === other.machineStart &&
  one.database === other.database;

async function prepare(staging: Staging, input: ImportInput, wanted: StagingState): Promise<void> {
  beginStaging(staging);
  try {
    const spool = await readInto(staging, input, input.onProgress);
    try {
      if (!hasOrganizationIn(input.dataDir)) checkOwner(spool, input);
    } finally {
      spool.close();
    }
  } catch (error) {
    rmSync(staging.folder, { recursive: true, force: true });
    throw error;
  }
  await writeState(staging, wanted);
}

interface Work {
  staging: Staging;
  began: number;
  sha256: string;
}

async function writeCopy(input: ImportInput, work: Work): Promise<ImportReport> {
  copyInto(work.staging, input.dataDir);
  input.replacement?.release(copyIn(work.staging));
  const spool = Spool.open(work.staging.spool);
  try {
    return await write(input, { ...work, spool });
  } finally {
    spool.close();
  }
}

/** Writes whatever is not in the copy yet. */
async function write(
  input: ImportInput,
  { staging, spool, began, sha256 }: Work & { spool: Spool },
): Promise<ImportReport> {
  const core = await input.open(staging.data);
  try {
    const ctx = core.system;
    store.writeQuickly(ctx);
    if (!hasRealm(ctx)) {
      const { name, email, fullName } = checkOwner(spool, input);
      const names = { name, owner_email: email, owner_name: fullName };
      const { user } = await createRealm(ctx, { ...names, avatar_salt: input.salt });
      if (input.site !== null) await setSite(ctx, input.site);
      spool.setFact("owner", user.user_id);
    }
    const elsewhere = await keepOnDisk(ctx);
    plan(ctx, spool, input.source);
    const writing = await writingOf(ctx, input, spool);
    await writePlaces(writing);
    const named: MessageWriting = {
      ...writing,
      ids: { ...writing.ids, names: namesOf(ctx, writing.ids.people) },
    };
    await writeFiles(named);
    await writeMessages(named);
    await markRead(named);
    const organization = realmSettings.read(ctx).name;
    const made = reportOf(spool, { options: input, dryRun: false, began, organization });
    const remark = input.replacement ? nodesRemark : elsewhere ? filesRemark : null;
    const report = remark === null ? made : { ...made, remarks: [...made.remarks, remark] };
    const { user, ownerMade } = writing.ids.base;
    await recordImport(ctx, { report, sha256, firstUserId: ownerMade ?? user + 1 });
    input.onProgress("Finishing", 0, 0);
    const { onProgress } = input;
    if (input.replacement) await moveToNodes(ctx, { dataDir: staging.data, kind: elsewhere, onProgress });
    else if (elsewhere) await leaveOnDisk(ctx, elsewhere);
    return report;
  } finally {
    await core.close();
  }
}

async function writingOf(
  ctx: Ctx,
  { source, onProgress }: ImportInput,
  spool: Spool,
): Promise<MessageWriting> {
  const base = spool.fact<Base>("base");
  if (!base) throw new Error("The import has no plan");
  const owner = activePeople(ctx).find(({ role }) => role === roles.owner);
  if (!owner) throw new Error("The organization has no owner");
  const ids = { base, ...spool.planned(), names: new Map<number, string>() };
  return { ctx, spool, source, ids, operatorId: owner.id, onProgress };
}

function namesOf(ctx: Ctx, people: ReadonlyMap<string, number>): Map<number, string> {
  return new Map([...people.values()].map((id) => [id, userFor(ctx, id).full_name]));
}

function finish(staging: Staging, dataDir: string): void {
  markFolder(dataDir);
  endBeginning(dataDir);
  rmSync(staging.folder, { recursive: true, force: true });
}
