// Packs generated files into archives, as the exporting programs do.
import { createWriteStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { create } from "tar";
import { ZipFile } from "yazl";

/** The members of an archive by path; values that are neither text nor bytes are written as JSON. */
export type Members = Record<string, unknown>;

const bytesOf = (content: unknown): Buffer =>
  typeof content === "string" || content instanceof Uint8Array
    ? Buffer.from(content as string)
    : Buffer.from(JSON.stringify(content));

export async function zipped(path: string, members: Members): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(members)) zip.addBuffer(bytesOf(content), name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

/** Below one folder, as Zulip does. */
export async function tarred(path: string, members: Members, top = "zulip-export-crew"): Promise<string> {
  const folder = `${path}.contents`;
  filed(join(folder, top), members);
  await create({ file: path, cwd: folder, gzip: true }, readdirSync(folder));
  return path;
}

/** As files in a folder. */
export function filed(folder: string, members: Members): string {
  for (const [name, content] of Object.entries(members)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytesOf(content));
  }
  return folder;
}

const utf8Flag = 0x08;

/** Takes from a zip archive the note that its names are in UTF-8, which many programs do not write. */
export function unflagged(path: string): string {
  const bytes = readFileSync(path);
  for (const [signature, flags] of [
    ["PK\u0003\u0004", 7],
    ["PK\u0001\u0002", 9],
  ] as const) {
    for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + 1)) {
      bytes[at + flags] = (bytes[at + flags] ?? 0) & ~utf8Flag;
    }
  }
  writeFileSync(path, bytes);
  return path;
}
