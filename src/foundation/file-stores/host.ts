// The S3 store for commands and the console.
import type { Reads } from "@/kernel/core/context.ts";
import { findS3 } from "./access.ts";
import { s3Store } from "./s3.ts";
import type { FileStore, S3Settings } from "./schema.ts";

/** Opens the S3 store that the settings describe; returns null without settings. */
export function storeOf(settings: S3Settings | null): FileStore | null {
  return settings && s3Store(settings);
}

/** The S3 store that this process has settings for; null without settings. */
export function storeReached(reads: Reads): FileStore | null {
  return findS3(reads);
}
