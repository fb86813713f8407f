// Packs generated files into archives, as the exporting programs do.
import { createWriteStream, mkdirSync, readdirSync, writeFileSync } from "node:fs";
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
  for (const [name, content] of Object.entries(members)) {
    const file = join(folder, top, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytesOf(content));
  }
  await create({ file: path, cwd: folder, gzip: true }, readdirSync(folder));
  return path;
}
