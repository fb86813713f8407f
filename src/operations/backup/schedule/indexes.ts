// The index of each backup in a place: what it needs, without what it is. Complete once it is there, since it is stored last.
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { FileStore } from "@/foundation/file-stores/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { type IndexHead, indexHead, type StoredBackup } from "../schema.ts";
import { namesOn, readAll, refuseDamaged } from "./places.ts";

const [compress, inflate] = [promisify(gzip), promisify(gunzip)];
const mostBytes = 256_000_000;

export interface BackupIndex {
  head: IndexHead;
  /** The pieces of each file, by the name of its path under the key of the place. */
  files: Map<string, readonly string[]>;
}

/** A name on the shelf of backups, which begins with its time, such as 20261128120614. */
export function newBackupName(at: number): string {
  const time = new Date(at * 1000).toISOString().replace(/\D/g, "").slice(0, 14);
  return time + randomBytes(9).toString("hex");
}

/** The first part of a name, by which people call a backup. */
export const shortName = (name: string) => name.slice(0, 14);

/** The time in a backup's name, in UNIX seconds. */
export function timeIn(name: string): number {
  const [year, month, day, hour, minute, second] = (shortName(name).match(/^\d{4}|\d\d/g) ?? []).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second) / 1000;
}

/** The names of all backups in a place, newest first. */
export async function listBackupNames(files: FileStore): Promise<string[]> {
  const names = [...(await namesOn(files, "backups"))];
  return names
    .filter((name) => /^2\d{13}/.test(name))
    .toSorted()
    .reverse();
}

const lastLine = "end";

export async function formatIndex({ head, files }: BackupIndex): Promise<Buffer> {
  const lines = function* (): Task<string> {
    const all = [JSON.stringify(head)];
    for (const [path, pieces] of files) {
      all.push(`${path} ${pieces.join(" ")}`);
      if (all.length % 1000 === 0) yield 1000;
    }
    return `${[...all, lastLine].join("\n")}\n`;
  };
  return compress(await runInSlices(lines()), { level: 1 });
}

export async function readIndex(files: FileStore, name: string): Promise<BackupIndex> {
  const stored = await readAll(files, { shelf: "backups", name }, mostBytes);
  if (!stored) return fail("BAD_REQUEST", `There is no backup ${shortName(name)}.`);
  const bytes = await inflate(stored, { maxOutputLength: mostBytes }).catch(() =>
    refuseDamaged(`the index of ${shortName(name)}`),
  );
  return (
    (await runInSlices(parseIndex(bytes.toString("latin1")))) ??
    refuseDamaged(`the index of ${shortName(name)}`)
  );
}

/** Null if it is not complete. */
function* parseIndex(text: string): Task<BackupIndex | null> {
  let start = text.indexOf("\n") + 1;
  const head = indexHead.safeParse(jsonOf(text.slice(0, start)));
  if (!head.success) return null;
  const files = new Map<string, readonly string[]>();
  for (let end = text.indexOf("\n", start); end >= 0; end = text.indexOf("\n", start)) {
    const line = text.slice(start, end);
    start = end + 1;
    if (line === lastLine) return start === text.length ? { head: head.data, files } : null;
    const [path = "", ...pieces] = line.split(" ");
    files.set(
      path,
      pieces.filter((piece) => piece !== ""),
    );
    yield 1;
  }
  return null;
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function presentBackup(name: string, { head }: BackupIndex): StoredBackup {
  const { created_at, last_message_id, files, bytes, added_bytes, recipients } = head;
  const encrypted = recipients.length > 0;
  return { backup: shortName(name), created_at, last_message_id, files, bytes, added_bytes, encrypted };
}
