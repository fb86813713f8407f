// Unpacks tar archives in little memory; only the current user can read the files.
import { statSync } from "node:fs";

interface Unpacking {
  file: string;
  folder: string;
  /** Whether to unpack an entry of this type, such as "File". */
  accepts(type: string): boolean;
  /** Another path for a file than the archive's. */
  placeOf?(path: string): string;
  /** Called for each entry with the bytes so far, which never exceed the size of the archive. */
  onProgress(done: number, of: number): void;
}

/** The extracted files belong to the current user, and only they can read them, whatever the archive says. */
export async function extractPrivately({
  file,
  folder,
  accepts,
  placeOf = (path) => path,
  onProgress: tell,
}: Unpacking): Promise<void> {
  const { extract } = await import("tar");
  const of = statSync(file).size;
  let done = 0;
  await extract({
    file,
    cwd: folder,
    // The default is 16 MiB, whose unpacked bytes would all be in memory at once.
    maxReadSize: 65_536,
    strict: true,
    noMtime: true,
    preserveOwner: false,
    fmode: 0o600,
    dmode: 0o700,
    filter: (_, entry) => {
      if (!("type" in entry)) return true;
      if (entry.type !== "Directory") entry.path = placeOf(entry.path);
      entry.mode = entry.type === "Directory" ? 0o700 : 0o600;
      return accepts(entry.type);
    },
    onReadEntry: (entry) => {
      done = Math.min(of, done + entry.size);
      tell(done, of);
    },
  });
}
