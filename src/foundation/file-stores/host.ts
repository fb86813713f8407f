// The stores of the settings for commands and the console.
import type { Reads } from "@/kernel/core/context.ts";
import { findStore } from "./access.ts";
import { s3Store } from "./s3.ts";
import type { FileStore, S3Settings, SharedKind } from "./schema.ts";

/** Opens the S3 store that the settings describe. */
export function openS3(settings: S3Settings): FileStore {
  return s3Store(settings);
}

/** Where files are in the nats-servers of a cluster, for people. */
export const natsAddress = (cluster: string) => `nats-servers of the cluster ${cluster}`;

/** A store that this process has settings for; null without settings. */
export function findSharedStore(reads: Reads, kind: SharedKind): FileStore | null {
  return findStore(reads, kind);
}

/** A store whose code is loaded when it is first used; `known` is what it says of itself. */
export function lazyStore(
  known: Pick<FileStore, "kind" | "address">,
  load: () => Promise<FileStore>,
): FileStore {
  let loaded: Promise<FileStore> | null = null;
  const store = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    ...known,
    put: async (...given) => (await store()).put(...given),
    find: async (...given) => (await store()).find(...given),
    remove: async (...given) => (await store()).remove(...given),
    async *list(shelf) {
      yield* (await store()).list(shelf);
    },
    // It is not on this machine.
    pathOf: () => null,
    readNote: async (...given) => (await store()).readNote(...given),
    writeNote: async (...given) => (await store()).writeNote(...given),
    close: async () => (await loaded)?.close?.(),
  };
}
