// Writes requested exports in slices, so that other requests are handled in between.

import { open } from "node:fs/promises";
import { newName } from "@/foundation/file-stores/names.ts";
import { keepFile } from "@/foundation/files/files.ts";
import { withIncomplete } from "@/foundation/files/incomplete.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { emitExports } from "./actions.ts";
import { type DocumentContents, writeDocument } from "./document.ts";
import { type ExportType, exportLimits } from "./schema.ts";
import type { ExportRow } from "./store.ts";
import * as store from "./store.ts";
import { gatherShown, listSharedSections } from "./store-shared.ts";
import { openSnapshot } from "./store-snapshot.ts";

interface WritingQueue {
  /** The export being written, or null. */
  document: Task<Record<string, number> | null> | null;
  /** Whether the database is being closed. */
  isStopped: boolean;
}

/** The run that is writing exports, if any. */
const writing = perApp((): { line: WritingQueue | null } => ({ line: null }));

/** Writes pending exports one after another; restarts those that an earlier process did not finish. */
export async function writeExports(ctx: Ctx): Promise<void> {
  const state = writing(ctx);
  if (state.line) return;
  const line: WritingQueue = { document: null, isStopped: false };
  state.line = line;
  try {
    for (let row = store.nextPending(ctx); row; row = line.isStopped ? null : store.nextPending(ctx)) {
      await writeExport(ctx, row, line);
    }
  } finally {
    state.line = null;
  }
}

/** Stops writing, so that the database can be closed; the next start restarts the current export. */
export function stopExports({ db }: Reads): void {
  const line = writing({ db }).line;
  if (!line) return;
  line.isStopped = true;
  line.document?.return(null);
}

async function writeExport(
  ctx: Ctx,
  { id, tries, export_type }: ExportRow,
  line: WritingQueue,
): Promise<void> {
  if (tries >= exportLimits.tries) return finish(ctx, { id, file: null });
  await begin(ctx, { id, tries: tries + 1 });
  try {
    const file = await writeFile(ctx, export_type, line);
    if (!line.isStopped) await finish(ctx, { id, file });
  } catch (error) {
    if (line.isStopped) return;
    await finish(ctx, { id, file: null });
    throw error;
  }
}

/** Writes to a temporary file that is kept when complete; returns null if stopped. */
async function writeFile(ctx: Ctx, type: ExportType, line: WritingQueue): Promise<string | null> {
  return withIncomplete(ctx.env, async (path) => {
    await writeAside(ctx, { path, type }, line);
    if (line.isStopped) return null;
    const name = newName();
    await keepFile(ctx.env, { shelf: "exports", name }, path);
    return name;
  });
}

async function writeAside(
  ctx: Ctx,
  to: { path: string; type: ExportType },
  line: WritingQueue,
): Promise<void> {
  const { db } = ctx;
  const handle = await open(to.path, "wx", 0o600);
  try {
    if (line.isStopped) return;
    const writing = { descriptor: handle.fd, now: db.clock.now() };
    line.document = writeDocument(openSnapshot(db.sqlite), contentsOf(ctx, to.type), writing);
    await runInSlices(line.document);
    await handle.sync();
  } finally {
    line.document = null;
    await handle.close();
  }
}

function contentsOf(ctx: Ctx, type: ExportType): DocumentContents {
  const { message_edit_history_visibility_policy: edits } = realmSettings.read(ctx);
  return { sections: listSharedSections(type, edits), gather: (snapshot) => gatherShown(snapshot, type) };
}

const begin = action(allow.system, (tx, { id, tries }: { id: number; tries: number }): void => {
  store.setTries(tx, id, tries);
});

/** A null file means that the export failed. */
const finish = action(allow.system, (tx, { id, file }: { id: number; file: string | null }): void => {
  if (file === null) store.setFailed(tx, id);
  else store.setFile(tx, id, file);
  emitExports(tx);
});
