// Copies the files of stores elsewhere into a backup, so that it holds all of the organization.
import { join } from "node:path";
import { makeFolderOf } from "@/foundation/file-stores/disk.ts";
import { isOurs, placeOf } from "@/foundation/file-stores/names.ts";
import {
  type FileName,
  type FileStore,
  type OpenStore,
  type SharedKind,
  shelves,
} from "@/foundation/file-stores/schema.ts";
import { writeNew } from "@/foundation/files/incomplete.ts";
import { forEachLimited } from "@/kernel/lib/concurrency.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { ReportProgress } from "./schema.ts";

const atOnce = 4;
const withoutSettings = {
  s3: "The files are in an S3 store: set s3_bucket and the others in confab.toml.",
  nats: "The files are in the nats-servers of a cluster: set 'cluster' and the others in confab.toml.",
} as const;

/** Writes all files, except thumbnails, which can be generated again, to the data folder's folder for files. */
export async function fetchFiles(
  { stores, report }: { stores: OpenStore; report: ReportProgress },
  { kind, folder }: { kind: SharedKind; folder: string },
): Promise<void> {
  const store = stores(kind) ?? fail("BAD_REQUEST", withoutSettings[kind]);
  try {
    let done = 0;
    for (const shelf of shelves.filter((one) => one !== "thumbnails")) {
      for await (const listed of store.list(shelf)) {
        const names = listed.map(({ name }) => name).filter(isOurs);
        await forEachLimited(names, atOnce, async (name) => {
          done += await fetchOne(store, { shelf, name }, folder);
          report({ doing: `Fetching files: ${Math.round(done / 1e6)} MB`, done: 0, of: 0 });
        });
      }
    }
  } finally {
    await store.close?.();
  }
}

/** Returns the size; 0 if the file was deleted meanwhile. */
async function fetchOne(store: FileStore, file: FileName, folder: string): Promise<number> {
  const found = await store.find(file);
  if (!found) return 0;
  const path = join(folder, placeOf(file));
  makeFolderOf(path);
  return writeNew(path, found.read(0, found.bytes));
}
