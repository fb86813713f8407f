// Which store holds the organization's files. The database says so, for all processes to use the same one.
import { createHash } from "node:crypto";
import { realmOf } from "@/foundation/realm/access.ts";
import type { Env, Reads } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { diskStore } from "./disk.ts";
import { type S3Store, s3Store } from "./s3.ts";
import {
  type FilePlacement,
  type FileStore,
  fileSettings,
  type S3Settings,
  type StoreKind,
} from "./schema.ts";
import { findPlacement } from "./store.ts";

/** Where the files are now; read from the database, because another process may have changed it. */
export function placementOf(reads: Reads): FilePlacement {
  return findPlacement(reads) ?? fileSettings.table.placement.fallback;
}

interface Opening {
  settings: () => S3Settings | null;
  store: S3Store | null;
}

const opening = perApp((): Opening => ({ settings: () => null, store: null }));

/** Lets this process reach the S3 store; its settings are read at first use, and null means that no store is set. */
export function setS3(reads: Reads, settings: () => S3Settings | null): void {
  Object.assign(opening(reads), { settings, store: null });
}

/** The S3 store; null if this process has no settings for one. */
export function findS3(reads: Reads): S3Store | null {
  const state = opening(reads);
  if (state.store) return state.store;
  const settings = state.settings();
  if (settings) state.store = s3Store(settings);
  return state.store;
}

const withoutSettings =
  "The files of this organization are in an S3 store, and this process has no settings for it: set s3_bucket and the others " +
  "in confab.toml.";

function s3For(reads: Reads): S3Store {
  return findS3(reads) ?? fail("SERVER_NOT_READY", withoutSettings);
}

export function storeAt(env: Pick<Env, "db" | "files">, kind: StoreKind): FileStore {
  return kind === "disk" ? diskStore(env) : s3For(env);
}

/** The stores to look in, the one that takes new files first. */
export function storesOf(env: Pick<Env, "db" | "files">): [FileStore, ...FileStore[]] {
  const { at, also } = placementOf(env);
  return [storeAt(env, at), ...(also === null ? [] : [storeAt(env, also)])];
}

const ownerNote = "confab.organization";

/** Records in the S3 store which organization's files it holds. Throws if they are another's. */
export async function claimS3(reads: Reads): Promise<void> {
  const owner = await ownerOf(reads);
  if (owner === null) await s3For(reads).writeNote(ownerNote, idOf(reads));
}

/** Throws if the S3 store holds the files of another organization, or does not say whose they are. */
export async function checkOwner(reads: Reads): Promise<void> {
  if ((await ownerOf(reads)) === null) {
    fail("SERVER_NOT_READY", `The S3 store lacks the file ${ownerNote}, so it may be the wrong one.`);
  }
}

async function ownerOf(reads: Reads): Promise<string | null> {
  const owner = (await s3For(reads).readNote(ownerNote))?.trim() ?? null;
  if (owner !== null && owner !== idOf(reads)) {
    fail(
      "BAD_REQUEST",
      "The S3 store holds the files of another organization: choose another bucket or s3_prefix.",
    );
  }
  return owner;
}

/** Identifies an organization without revealing anything about it. */
function idOf(reads: Reads): string {
  return createHash("sha256")
    .update(`owner of files:${realmOf(reads).avatar_salt}`)
    .digest("hex")
    .slice(0, 32);
}
