// Which store holds the organization's files. The database says so, for all processes to use the same one.
import { createHash } from "node:crypto";
import { realmOf } from "@/foundation/realm/access.ts";
import type { Env, Reads } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { diskStore } from "./disk.ts";
import {
  type FilePlacement,
  type FileStore,
  fileSettings,
  type OpenStore,
  type SharedKind,
  type StoreKind,
} from "./schema.ts";
import { findPlacement } from "./store.ts";

/** Where the files are now; read from the database, because another process may have changed it. */
export function placementOf(reads: Reads): FilePlacement {
  return findPlacement(reads) ?? fileSettings.table.placement.fallback;
}

interface Opening {
  open: OpenStore;
  stores: Map<SharedKind, FileStore>;
}

const opening = perApp((): Opening => ({ open: () => null, stores: new Map() }));

/** Lets this process reach the stores of its settings, which are opened at first use. */
export function setStores(reads: Reads, open: OpenStore): void {
  Object.assign(opening(reads), { open, stores: new Map() });
}

/** A store of this process's settings; null if they name none. */
export function findStore(reads: Reads, kind: SharedKind): FileStore | null {
  const { open, stores } = opening(reads);
  const known = stores.get(kind);
  if (known) return known;
  const store = open(kind);
  if (store) stores.set(kind, store);
  return store;
}

/** For the end of a process. */
export async function closeStores(reads: Reads): Promise<void> {
  await Promise.all([...opening(reads).stores.values()].map((store) => store.close?.()));
}

const withoutSettings = {
  s3:
    "The files of this organization are in an S3 store, and this process has no settings for it: set s3_bucket and the others " +
    "in confab.toml.",
  nats: "The files of this organization are in the nats-servers of a cluster, and this process has no settings for one.",
} as const;

export function storeAt(env: Pick<Env, "db" | "files">, kind: StoreKind): FileStore {
  if (kind === "disk") return diskStore(env);
  return findStore(env, kind) ?? fail("SERVER_NOT_READY", withoutSettings[kind]);
}

/** The stores to look in, the one that takes new files first. */
export function storesOf(env: Pick<Env, "db" | "files">): [FileStore, ...FileStore[]] {
  const { at, also } = placementOf(env);
  return [storeAt(env, at), ...(also === null ? [] : [storeAt(env, also)])];
}

const ownerNote = "confab.organization";

const wrongStore = {
  s3: "The S3 store holds the files of another organization: choose another bucket or s3_prefix.",
  nats: "The nats-servers hold the files of another organization under this cluster's name: choose another cluster_name.",
} as const;

/** Records in a store that others can reach, too, which organization's files it holds. Throws if they are another's. */
export async function claimStore(env: Pick<Env, "db" | "files">, kind: SharedKind): Promise<void> {
  const owner = await ownerOf(env, kind);
  if (owner === null) await storeAt(env, kind).writeNote(ownerNote, idOf(env));
}

/** Throws if such a store holds the files of another organization, or does not say whose they are. */
export async function checkOwner(env: Pick<Env, "db" | "files">, kind: SharedKind): Promise<void> {
  if ((await ownerOf(env, kind)) === null) {
    const { address } = storeAt(env, kind);
    fail("SERVER_NOT_READY", `The note ${ownerNote} is not in ${address}, so it may be the wrong one.`);
  }
}

async function ownerOf(env: Pick<Env, "db" | "files">, kind: SharedKind): Promise<string | null> {
  const owner = (await storeAt(env, kind).readNote(ownerNote))?.trim() ?? null;
  if (owner !== null && owner !== idOf(env)) fail("BAD_REQUEST", wrongStore[kind]);
  return owner;
}

/** Identifies an organization without revealing anything about it. */
function idOf(reads: Reads): string {
  return createHash("sha256")
    .update(`owner of files:${realmOf(reads).avatar_salt}`)
    .digest("hex")
    .slice(0, 32);
}
