// Where the files of an organization lie: on the disk, in a store that speaks S3, or in the nats-servers of a cluster.
import { z } from "zod";
import { setting, settings } from "@/kernel/store/settings.ts";

/** What files there are: uploads, their thumbnails, pictures of people, emoji and organization, exports. */
export const shelves = ["uploads", "thumbnails", "pictures", "exports"] as const;
export type Shelf = (typeof shelves)[number];

/** What a place of scheduled backups holds: the pieces of all backups, and an index of each. */
export type BackupShelf = "pieces" | "backups";

/** A file: its shelf, and a name that `newName` made. */
export interface FileName {
  shelf: Shelf | BackupShelf;
  name: string;
}

export interface FoundFile {
  bytes: number;
  /** The bytes from `start` to before `end`, in pieces; the next piece is read when it is asked for. */
  read(start: number, end: number): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

export interface ListedFile {
  name: string;
  bytes: number;
  /** UNIX seconds. */
  changedAt: number;
}

export const storeKinds = ["disk", "s3", "nats"] as const;
export type StoreKind = (typeof storeKinds)[number];
/** Those that all nodes of a cluster reach. */
export type SharedKind = Exclude<StoreKind, "disk">;
/** Opens a store of this process's settings; null if they name none. */
export type OpenStore = (kind: SharedKind) => FileStore | null;

/** Which store takes new files, and which one may have others while they move. */
const placement = z.object({ at: z.enum(storeKinds), also: z.enum(storeKinds).nullable() });
export type FilePlacement = z.infer<typeof placement>;

/** What all processes must agree on. */
export const fileSettings = settings("files", {
  placement: setting(placement, { at: "disk", also: null }, "Where the files are"),
  server_s3: setting(z.string(), "", "The S3 store that the server can reach; empty if none"),
});

/** The content under a name never changes. What `put` has resolved survives a power cut. */
export interface FileStore {
  readonly kind: StoreKind;
  /** Where it is, for people: a path, or a URL with bucket and prefix. */
  readonly address: string;
  /** Stores a complete, synced file of this machine. May move the file away from its path. */
  put(file: FileName, path: string): Promise<void>;
  /** Null if there is no such file. */
  find(file: FileName): Promise<FoundFile | null>;
  /** Does nothing if there is no such file. */
  remove(file: FileName): Promise<void>;
  /** All files of a shelf, some at a time. */
  list(shelf: FileName["shelf"]): AsyncIterable<ListedFile[]>;
  /** Where this machine's programs can read the file; null for a remote store. */
  pathOf(file: FileName): string | null;
  /** A small text stored next to the files, such as their owner, or null. */
  readNote(name: string): Promise<string | null>;
  writeNote(name: string, text: string): Promise<void>;
  /** Ends what it keeps open; it may be used again. */
  close?(): Promise<void>;
}

export interface S3Settings {
  /** The URL of the store; undefined for Amazon's own, which the region names. */
  endpoint?: string | undefined;
  bucket: string;
  region?: string | undefined;
  /** What all names begin with: empty, or a path that ends in a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** How long one request may take; large files get more time. */
  patienceMs?: number;
  /** How long to wait before another try. */
  pauseMs?: number;
}
