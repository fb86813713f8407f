// Imports an export of another chat: reads and checks all of it, writes it into a copy of the organization, and puts the
// copy in its place. Until then nothing has changed, and an import that was killed goes on where it stopped.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordAudit } from "@/foundation/audit/tx.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { hasRealm } from "@/foundation/realm/access.ts";
import { createRealm } from "@/foundation/realm/actions.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { activePeople, userFor } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { markFolder } from "@/operations/data-folder/host.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { Fetcher } from "./intake/fetching.ts";
import { Intake } from "./intake/intake.ts";
import { Spool } from "./intake/store-spool.ts";
import { unpackExport } from "./intake/unpacking.ts";
import { importOwn, type OwnInput } from "./own/importing.ts";
import { type Base, plan } from "./planning.ts";
import { readers } from "./readers.ts";
import { checkOwner, type Found, type ImportOptions, reportOf } from "./report.ts";
import type { ImportReport, Tell } from "./schema.ts";
import {
  beginStaging,
  copyInto,
  digestOf,
  isPlaced,
  placeDatabase,
  placeFiles,
  readState,
  type Staging,
  type State,
  stagingIn,
  stampOf,
  writeState,
} from "./staging.ts";
import * as store from "./store.ts";
import { markRead, type Writing, writeMessages } from "./writing-messages.ts";
import { writeFiles, writePlaces } from "./writing-places.ts";

export interface ImportInput extends ImportOptions {
  dataDir: string;
  /** Random; for a new organization. */
  salt: string;
  tell: Tell;
  /** Opens the core on a data folder, as `openCore` does. */
  open(dataDir: string): { system: Ctx; close(): Promise<void> };
}

/** Reads and checks an export, and says what would be imported. */
export async function tryImport({ tell, ...options }: ImportOptions & { tell: Tell }): Promise<ImportReport> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "confab-import-"));
  try {
    const staging = stagingIn(folder);
    beginStaging(staging);
    const spool = await readInto(staging, options, tell);
    try {
      return reportOf(spool, { options, dryRun: true, began });
    } finally {
      spool.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks, reads and checks all of the export; what it cannot take over is counted. */
async function readInto(staging: Staging, options: ImportOptions, tell: Tell): Promise<Spool> {
  const spool = Spool.create(staging.spool);
  try {
    const { read, fetchesFrom } = readers[options.source];
    await unpackExport(options.file, staging.exported, tell);
    const intake = new Intake(spool, options);
    const fetched = join(staging.folder, "fetched");
    const fetcher = options.fetch && new Fetcher(fetched, fetchesFrom, options.fetch);
    const organization = await read({ folder: staging.exported, intake, tell, fetcher });
    intake.end();
    spool.finish();
    tell("Counting", 0, 0);
    spool.setFact("found", { organization, counts: spool.counts(), remarks: [] } satisfies Found);
    return spool;
  } catch (error) {
    spool.close();
    throw error;
  }
}

/** Imports our own export into a folder without an organization. The caller holds the folder's lock. */
export function importDocument(input: OwnInput): Promise<ImportReport> {
  return importOwn(input);
}

/** Imports an export. The caller holds the folder's lock, so that no server runs on it. */
export async function importExport(input: ImportInput): Promise<ImportReport> {
  const began = performance.now();
  const { dataDir, file, tell } = input;
  if (!existsSync(file)) fail("BAD_REQUEST", `There is no file ${file}.`);
  const staging = stagingIn(dataDir);
  tell("Reading", 0, 0);
  const held = store.holdWrites(join(dataDir, databaseFile));
  try {
    const known = readState(staging);
    const wanted = await stateOf(input);
    if (known?.report && isPlaced(staging)) return finish(staging, dataDir, known.report);
    const goesOn = known !== null && isSame(known, wanted) && existsSync(staging.spool);
    if (!goesOn) await prepare(staging, input, wanted);
    const spool = Spool.open(staging.spool);
    try {
      const report = await write(input, { staging, spool, began, sha256: wanted.sha256 });
      await writeState(staging, { ...wanted, report });
    } finally {
      spool.close();
    }
    await placeFiles(staging, dataDir);
    held.release();
    if (stampOf(dataDir) !== wanted.database) {
      fail("BAD_REQUEST", "Another program has changed the database meanwhile. Import again.");
    }
    await placeDatabase(staging, dataDir);
    return finish(
      staging,
      dataDir,
      readState(staging)?.report ?? fail("BAD_REQUEST", "The import lost its report."),
    );
  } finally {
    held.release();
  }
}

async function stateOf({
  dataDir,
  source,
  file,
  organization,
  ownerEmail,
  allowMissing,
  fetch,
}: ImportInput): Promise<State> {
  const options = JSON.stringify({ organization, ownerEmail, allowMissing, fetches: fetch !== null });
  const sha256 = await digestOf(file);
  return { format: 1, source, sha256, options, database: stampOf(dataDir), report: null };
}

const isSame = (one: State, other: State) =>
  one.source === other.source &&
  one.sha256 === other.sha256 &&
  one.options === other.options &&
  one.database === other.database;

async function prepare(staging: Staging, input: ImportInput, wanted: State): Promise<void> {
  beginStaging(staging);
  try {
    const spool = await readInto(staging, input, input.tell);
    try {
      if (wanted.database === "") checkOwner(spool, input);
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
  spool: Spool;
  began: number;
  sha256: string;
}

/** Writes what is missing in the copy. */
async function write(input: ImportInput, { staging, spool, began, sha256 }: Work): Promise<ImportReport> {
  copyInto(staging, input.dataDir);
  const core = input.open(staging.data);
  try {
    const ctx = core.system;
    store.writeQuickly(ctx);
    if (!hasRealm(ctx)) {
      const { name, email, fullName } = checkOwner(spool, input);
      const names = { name, owner_email: email, owner_name: fullName };
      const { user } = await createRealm(ctx, { ...names, avatar_salt: input.salt });
      spool.setFact("owner", user.user_id);
    }
    checkNotImported(ctx, sha256);
    plan(ctx, spool, input.source);
    const writing = await writingOf(ctx, input, spool);
    await writePlaces(writing);
    const named: Writing = { ...writing, ids: { ...writing.ids, names: namesOf(ctx, writing.ids.people) } };
    await writeFiles(named);
    await writeMessages(named);
    await markRead(named);
    const organization = realmSettings.read(ctx).name;
    const report = reportOf(spool, { options: input, dryRun: false, began, organization });
    await note(ctx, { report, sha256 });
    input.tell("Finishing", 0, 0);
    store.foldLog(ctx);
    return report;
  } finally {
    await core.close();
  }
}

function checkNotImported(ctx: Ctx, sha256: string): void {
  const at = store.importedAt(ctx, sha256);
  if (at === null) return;
  const day = new Date(at * 1000).toISOString().slice(0, 10);
  fail(
    "BAD_REQUEST",
    `This export was imported on ${day} already; importing it again would double its messages.`,
  );
}

async function writingOf(ctx: Ctx, { source, tell }: ImportInput, spool: Spool): Promise<Writing> {
  const base = spool.fact<Base>("base");
  if (!base) throw new Error("The import has no plan");
  const owner = activePeople(ctx).find(({ role }) => role === roles.owner);
  if (!owner) throw new Error("The organization has no owner");
  const ids = { base, ...spool.planned(), names: new Map<number, string>() };
  return { ctx, spool, source, ids, operatorId: owner.id, tell };
}

function namesOf(ctx: Ctx, people: ReadonlyMap<string, number>): Map<number, string> {
  return new Map([...people.values()].map((id) => [id, userFor(ctx, id).full_name]));
}

const note = action(
  allow.system,
  (tx, { report, sha256 }: { report: ImportReport; sha256: string }): void => {
    if (store.importedAt(tx, sha256) !== null) return;
    const { source, people, channels, messages } = report;
    const data = { source, sha256, people, channels, messages };
    recordAudit(tx, { event: "imported", about: { kind: "realm" }, data });
  },
);

function finish(staging: Staging, dataDir: string, report: ImportReport): ImportReport {
  markFolder(dataDir);
  rmSync(staging.folder, { recursive: true, force: true });
  return report;
}
