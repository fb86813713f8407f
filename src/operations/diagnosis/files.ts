// Whether the files that the database names are where it says.
import { join } from "node:path";
import { diskStore } from "@/foundation/file-stores/disk.ts";
import { reasonOf } from "@/foundation/file-stores/faults.ts";
import { placeOf } from "@/foundation/file-stores/names.ts";
import { s3Store } from "@/foundation/file-stores/s3.ts";
import type { FileName, FileStore, S3Settings, StoreKind } from "@/foundation/file-stores/schema.ts";
import { forEachLimited } from "@/kernel/lib/concurrency.ts";
import { databaseFile, filesFolder } from "@/operations/data-folder/schema.ts";
import { type Finding, well } from "./schema.ts";
import { listNamedFiles, type NamedFiles } from "./store.ts";

const check = "Files";
const newest = 20;
const atOnce = 8;
const patienceMs = 5_000;

/** Looks for the newest files, or for all if `deep`. */
export async function examineFiles(
  dataDir: string,
  { s3, deep }: { s3: () => S3Settings | null; deep: boolean },
): Promise<Finding[]> {
  const path = join(dataDir, databaseFile);
  try {
    const named = listNamedFiles(path, deep ? -1 : newest);
    if (!named) return [];
    const settings = s3();
    const { at, also } = named.placement;
    if ((at === "s3" || also === "s3") && !settings) return [unset];
    const stores = [at, ...(also ? [also] : [])].map((kind) => storeOf(kind, dataDir, settings));
    return [await lookForFiles(named, { stores, deep }), ...findUnmoved(named, settings)];
  } catch (error) {
    const remedy =
      "Look at s3_endpoint, s3_bucket, s3_region and the credentials, and whether the store runs.";
    return [{ check, verdict: "problem", finding: `They cannot be read: ${reasonOf(error)}.`, remedy }];
  }
}

const unset: Finding = {
  check,
  verdict: "problem",
  finding: "They are in an S3 store, and there are no settings for it.",
  remedy: "Set s3_bucket and the others in confab.toml.",
};

function storeOf(kind: StoreKind, dataDir: string, settings: S3Settings | null): FileStore {
  if (kind === "s3" && settings) return s3Store({ ...settings, patienceMs });
  return diskStore({ files: join(dataDir, filesFolder) });
}

async function lookForFiles(
  { placement, files }: NamedFiles,
  { stores, deep }: { stores: FileStore[]; deep: boolean },
): Promise<Finding> {
  const missing: FileName[] = [];
  await forEachLimited(files, atOnce, async (file) => {
    for (const store of stores) if (await store.find(file)) return;
    missing.push(file);
  });
  const [first] = missing;
  if (first) {
    const finding = `${missing.length} of ${files.length} are missing, such as ${placeOf(first)}.`;
    const remedy = "Take them from a backup: 'confab restore' into a new folder, then copy its files.";
    return { check, verdict: "problem", finding, remedy };
  }
  const place = placement.at === "s3" ? "the S3 store" : "the data folder";
  return well(
    check,
    `${deep ? "All" : "The newest"} are in ${place}${deep ? "" : "; --deep looks for all"}.`,
  );
}

function findUnmoved({ placement: { at, also } }: NamedFiles, settings: S3Settings | null): Finding[] {
  const remedy = `confab files move --to ${also ? at : "s3"}`;
  if (also)
    return [{ check, verdict: "warning", finding: "A move to another store was interrupted.", remedy }];
  if (at === "s3" || !settings) return [];
  return [
    { check, verdict: "note", finding: "They are on the disk, and the settings name an S3 store.", remedy },
  ];
}
