// Brings a backup of a place back: chooses it, fetches its pieces, and writes its files to a folder.
import { join } from "node:path";
import { makeFolderOf } from "@/foundation/file-stores/disk.ts";
import { placeOf } from "@/foundation/file-stores/names.ts";
import { shelves } from "@/foundation/file-stores/schema.ts";
import { writeNew } from "@/foundation/files/incomplete.ts";
import { forEachLimited } from "@/kernel/lib/concurrency.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { databaseFile, filesFolder } from "@/operations/data-folder/schema.ts";
import {
  type ContentsHead,
  contentsHead,
  type PlaceSettings,
  type ReportProgress,
  type StoredFile,
  storedFile,
} from "../schema.ts";
import { jsonOf, listBackupNames, readIndex, shortName } from "./indexes.ts";
import { readPieces } from "./pieces.ts";
import { readFrom, refuseDamaged, usingPlace } from "./places.ts";
import { openerOf } from "./sealing.ts";

export interface StoredSource {
  place: PlaceSettings;
  /** The beginning of the backup's name; absent for the newest. */
  backup?: string | undefined;
  /** The file with the secret key, for backups that are encrypted. */
  identity?: string | undefined;
}

export interface Fetched extends ContentsHead {
  backup: string;
  files: number;
  bytes: number;
}

const filesAtOnce = 4;

/** Writes the files of a backup to a folder, and checks each piece. */
export async function fetchBackup(
  source: StoredSource,
  { folder, report }: { folder: string; report: ReportProgress },
): Promise<Fetched> {
  const { backup, address, head, all, total, reading } = await readLists(source);
  let done = 0;
  await forEachLimited(all, filesAtOnce, async ({ path, bytes, pieces }) => {
    const target = join(folder, checkPath(path));
    makeFolderOf(target);
    const size = await writeNew(target, readFrom(address, readPieces(reading, pieces)), (soFar) => {
      if (soFar > bytes) refuseDamaged(`${path} is too long`);
    });
    if (size !== bytes) refuseDamaged(`${path} is too short`);
    done += size;
    report({ doing: "Fetching", done, of: total });
  });
  return { ...head, backup, files: all.length, bytes: done };
}

/** Which backup it is, what it holds, and what reads its pieces. */
function readLists({ place, backup, identity }: StoredSource) {
  return usingPlace(place, async ({ address, files }) => {
    const name = chooseBackup(await listBackupNames(files), { address, backup });
    const { head: index } = await readIndex(files, name);
    const open = await openerOf(index.recipients, identity);
    const { head, all } = await readContents(readPieces({ files, key: null, open }, index.contents));
    const reading = { files, key: head.key, open };
    return { backup: shortName(name), address, head, all, total: index.bytes, reading };
  });
}

function chooseBackup(
  names: readonly string[],
  { address, backup = "" }: { address: string; backup?: string | undefined },
): string {
  const found = names.filter((name) => name.startsWith(backup));
  const [first] = found;
  if (first !== undefined && (backup === "" || found.length === 1)) return first;
  if (first !== undefined) return fail("BAD_REQUEST", `Several backups in ${address} begin with ${backup}.`);
  const what = backup === "" ? "no scheduled backup" : `no backup ${backup}`;
  return fail("BAD_REQUEST", `There is ${what} in ${address}.`);
}

const mostLineBytes = 64_000_000;

async function readContents(
  content: AsyncIterable<Buffer>,
): Promise<{ head: ContentsHead; all: StoredFile[] }> {
  let head: ContentsHead | null = null;
  const all: StoredFile[] = [];
  let rest = "";
  for await (const piece of content) {
    const lines = (rest + piece.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > mostLineBytes) refuseDamaged("its list of files");
    for (const line of lines) {
      if (head) all.push(storedFile.safeParse(jsonOf(line)).data ?? refuseDamaged("its list of files"));
      else head = contentsHead.safeParse(jsonOf(Buffer.from(line, "latin1").toString())).data ?? null;
      if (!head) return refuseDamaged("its list of files is not one of this version of Confab");
    }
  }
  if (!head || rest !== "") return refuseDamaged("its list of files is not complete");
  return { head, all };
}

/** Throws unless it is a path that a backup may have: a place could hold what somebody else wrote. */
function checkPath(path: string): string {
  if (path === databaseFile) return path;
  const [, shelf = "", name = ""] = /^files\/([a-z]+)\/[0-9a-f]{2}\/([^/]+)$/.exec(path) ?? [];
  const isKnown = shelves.some((one) => one === shelf) && isNameOf(path, shelf, name);
  return isKnown ? path : refuseDamaged("it names a file that no backup has");
}

function isNameOf(path: string, shelf: string, name: string): boolean {
  try {
    return path === `${filesFolder}/${placeOf({ shelf, name })}`;
  } catch {
    return false;
  }
}
