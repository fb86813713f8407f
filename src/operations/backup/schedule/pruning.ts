// Removes the backups that a place need not keep, and then all pieces that no backup needs, such as those of a run that was killed.
import type { FileName, FileStore } from "@/foundation/file-stores/schema.ts";
import { nextSlice, runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import type { KeepRule, LastBackup } from "../schema.ts";
import { type BackupIndex, listBackupNames, readIndex, timeIn } from "./indexes.ts";
import { keptBackups } from "./keeping.ts";
import { type BackupPlace, namesOn, type Writer } from "./places.ts";

/** What to keep and to remove once a new backup is there. */
interface OtherBackups {
  kept: readonly { created_at: number }[];
  dropped: readonly string[];
  /** The pieces of all that are kept. */
  needed: Set<string>;
  /** What the newest of them has of each file. */
  newest: BackupIndex["files"];
}

/** Decides which backups stay besides one that is made now. Throws if the index of one that stays cannot be read. */
export async function readOthers(
  files: FileStore,
  { keep, created_at }: { keep: KeepRule; created_at: number },
): Promise<OtherBackups> {
  const all = (await listBackupNames(files)).map((name) => ({ name, created_at: timeIn(name) }));
  const stays = keptBackups([{ name: "", created_at }, ...all], keep);
  const kept = all.filter((one) => stays.has(one));
  const needed = new Set<string>();
  let newest: BackupIndex["files"] = new Map();
  for (const { name } of kept) {
    const index = await readIndex(files, name);
    await runInSlices(collect(index, needed));
    if (name === kept[0]?.name) newest = index.files;
  }
  const dropped = all.filter((one) => !stays.has(one)).map(({ name }) => name);
  return { kept: [{ created_at }, ...kept], dropped, needed, newest };
}

interface Removing {
  place: BackupPlace;
  writer: Writer;
  check: () => void;
}

export async function removeOthers(
  { place: { files }, writer, check }: Removing,
  { kept, dropped, needed }: OtherBackups,
  made: BackupIndex,
): Promise<Pick<LastBackup, "kept" | "oldest_at">> {
  const remove = async (file: FileName) => {
    check();
    await files.remove(file);
    await nextSlice();
  };
  await runInSlices(collect(made, needed));
  await writer.check();
  for (const name of dropped) await remove({ shelf: "backups", name });
  for (const name of await namesOn(files, "pieces")) {
    if (!needed.has(name)) await remove({ shelf: "pieces", name });
  }
  return { kept: kept.length, oldest_at: Math.min(...kept.map(({ created_at }) => created_at)) };
}

function* collect({ head, files }: BackupIndex, needed: Set<string>): Task<void> {
  for (const piece of head.contents) needed.add(piece);
  for (const pieces of files.values()) {
    for (const piece of pieces) needed.add(piece);
    yield 1;
  }
}
