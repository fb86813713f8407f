// Whether the files that the database names are where it says.
import { join } from "node:path";
import { diskStore } from "@/foundation/file-stores/disk.ts";
import { reasonOf } from "@/foundation/file-stores/faults.ts";
import { placeOf } from "@/foundation/file-stores/names.ts";
import type { FileName, FileStore, OpenStore, StoreKind } from "@/foundation/file-stores/schema.ts";
import { forEachLimited } from "@/kernel/lib/concurrency.ts";
import { databaseFile, filesFolder } from "@/operations/data-folder/schema.ts";
import { type Finding, well } from "./schema.ts";
import { listNamedFiles, type NamedFiles } from "./store.ts";

const check = "Files";
const newest = 20;
const atOnce = 8;
const places = {
  disk: "the data folder",
  s3: "the S3 store",
  nats: "the nats-servers of the cluster",
} as const satisfies Record<StoreKind, string>;

/** Looks for the newest files, or for all if `deep`. */
export async function examineFiles(
  dataDir: string,
  { stores: open, deep }: { stores: OpenStore; deep: boolean },
): Promise<Finding[]> {
  const path = join(dataDir, databaseFile);
  const opened = new Map<StoreKind, FileStore | null>();
  try {
    const named = listNamedFiles(path, deep ? -1 : newest);
    if (!named) return [];
    const { at, also } = named.placement;
    const disk = diskStore({ files: join(dataDir, filesFolder) });
    for (const kind of [at, also]) if (kind) opened.set(kind, kind === "disk" ? disk : open(kind));
    const unset = [...opened].find(([, store]) => store === null);
    if (unset) return [withoutSettings(unset[0])];
    const stores = [...opened.values()].filter((store) => store !== null);
    const hasS3 = at === "disk" && also === null && open("s3") !== null;
    return [await lookForFiles(named, { stores, deep }), ...findUnmoved(named, hasS3)];
  } catch (error) {
    const remedy = opened.has("s3")
      ? "Look at s3_endpoint, s3_bucket, s3_region and the credentials, and whether the store runs."
      : "See whether the nats-servers run: 'confab cluster status'.";
    return [{ check, verdict: "problem", finding: `They cannot be read: ${reasonOf(error)}.`, remedy }];
  } finally {
    for (const store of opened.values()) await store?.close?.();
  }
}

function withoutSettings(kind: StoreKind): Finding {
  const setting = kind === "s3" ? "s3_bucket" : "cluster";
  return {
    check,
    verdict: "problem",
    finding: `They are in ${kind === "s3" ? "an S3 store" : places[kind]}, and there are no settings for it.`,
    remedy: `Set ${setting} and the others in confab.toml.`,
  };
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
  return well(
    check,
    `${deep ? "All" : "The newest"} are in ${places[placement.at]}${deep ? "" : "; --deep looks for all"}.`,
  );
}

function findUnmoved({ placement: { at, also } }: NamedFiles, hasS3: boolean): Finding[] {
  const remedy = `confab files move --to ${also ? at : "s3"}`;
  if (also)
    return [{ check, verdict: "warning", finding: "A move to another store was interrupted.", remedy }];
  if (!hasS3) return [];
  return [
    { check, verdict: "note", finding: "They are on the disk, and the settings name an S3 store.", remedy },
  ];
}
