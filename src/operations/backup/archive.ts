// Packs folders into compressed archives and computes checksums of their files.
import { createHash } from "node:crypto";
import { createReadStream, readdirSync, statfsSync, statSync, writeSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fail } from "@/kernel/errors.ts";
import { diskReason } from "@/operations/data-folder/schema.ts";
import { type Manifest, manifestFile, type Report } from "./schema.ts";

export async function checksums(folder: string, report: Report): Promise<Manifest["files"]> {
  const paths = filesIn(folder).sort();
  const total = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const files: Manifest["files"] = [];
  let done = 0;
  for (const path of paths) {
    const found = await digest(path);
    files.push({ path: relative(folder, path).split(sep).join("/"), ...found });
    done += found.bytes;
    report({ doing: "Reading", done, of: total });
  }
  return files;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export async function digest(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Used instead of the tar library's own file writing, which treats a short write on a full disk as complete. */
export async function pack(
  folder: string,
  descriptor: number,
  onBytes: (done: number) => void,
): Promise<void> {
  const { create } = await import("tar");
  let done = 0;
  const archive = create(
    {
      cwd: folder,
      gzip: { level: 3 },
      portable: true,
      strict: true,
      mode: 0o600,
      onWriteEntry: (entry) => {
        done += entry.stat?.isFile() ? entry.stat.size : 0;
        onBytes(done);
      },
    },
    [manifestFile, ...readdirSync(folder).filter((name) => name !== manifestFile)],
  );
  for await (const chunk of archive) {
    let rest: Uint8Array = chunk;
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  }
}

export async function unpack(file: string, folder: string, report: Report): Promise<void> {
  const { extract } = await import("tar");
  const of = statSync(file).size;
  let done = 0;
  report({ doing: "Unpacking", done, of });
  try {
    await extract({
      file,
      cwd: folder,
      strict: true,
      noMtime: true,
      // Extracted files belong to the current user, and only they can read them, whatever the archive says.
      preserveOwner: false,
      fmode: 0o600,
      dmode: 0o700,
      filter: (_, entry) => {
        if (!("type" in entry)) return true;
        entry.mode = entry.type === "Directory" ? 0o700 : 0o600;
        return entry.type === "File" || entry.type === "Directory";
      },
      onReadEntry: (entry) => {
        done = Math.min(of, done + entry.size);
        report({ doing: "Unpacking", done, of });
      },
    });
  } catch (error) {
    if (diskReason(error) !== null) throw error;
    const reason = (error as Error).message.replace(/^TAR_\w+: |\.$/g, "");
    fail("BAD_REQUEST", `${file} is not a backup, or is incomplete: ${reason}.`);
  }
}

/** Throws if the disk is full, because what was written to it is then incomplete. */
export function checkRoom(folder: string): void {
  if (statfsSync(folder).bavail === 0) throw Object.assign(new Error("The disk is full"), { code: "ENOSPC" });
}
