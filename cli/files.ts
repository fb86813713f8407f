// Files that commands read: on this machine, or sent by a remote program. A path typed remotely is never opened
// here.

import { accessSync, constants, statSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { bytesText } from "@/kernel/lib/wording.ts";
import { type Arg, operand, option } from "./args.ts";
import { confirm } from "./confirm.ts";
import { fileSent } from "./prompts.ts";
import { streams } from "./streams.ts";

export interface GivenFile {
  path: string;
  name: string;
  size: number;
}

export interface FileArg<T = unknown> extends Arg<T> {
  /** The maximum size, in bytes. */
  readonly maxBytes: number;
  /** Whether `-` means standard input. */
  readonly takesInput: boolean;
}

export const mib = 1_048_576;

/** A file to read, which the program sends along if the command runs at a remote server. */
export function fileOperand(
  about: string,
  { maxBytes, takesInput = false }: { maxBytes: number; takesInput?: boolean },
): FileArg<string> {
  const whole = takesInput ? `${about}; - reads standard input` : about;
  return { ...operand("FILE", z.string().min(1, "the path of a file"), whole), maxBytes, takesInput };
}

/** Like `fileOperand`, for `--name FILE`. */
export function fileOption(about: string, { maxBytes }: { maxBytes: number }): FileArg<string | undefined> {
  const rule = z.string().min(1, "the path of a file").optional();
  return { ...option("FILE", rule, `${about}; - reads standard input`), maxBytes, takesInput: true };
}

export function isFile(row: Arg): row is FileArg {
  return "maxBytes" in row;
}

/** The file that the person means; fails if it is missing or too large. */
export function locateFile(path: string, maxBytes: number): GivenFile {
  const sent = fileSent();
  if (sent) return checkSize({ ...sent, name: basename(path) }, path, maxBytes);
  const stat = readStat(path);
  if (!stat) return fail("BAD_REQUEST", `There is no file ${path}.`);
  if (!stat.isFile()) return fail("BAD_REQUEST", `${path} is not a file.`);
  checkReadable(path);
  return checkSize({ path, name: basename(path), size: stat.size }, path, maxBytes);
}

/** Asks before a command overwrites a file; returns whether it may. */
export async function mayOverwrite(path: string, agreed: boolean): Promise<boolean> {
  const size = sizeOf(path);
  if (size === null) return agreed;
  await confirm(
    { does: "overwrites", count: [1, "file"], of: `of ${bytesText(size)}`, names: [path] },
    agreed,
  );
  return true;
}

/** Null for what is no file, or cannot be looked at: writing to it says why. */
function sizeOf(path: string): number | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? stat.size : null;
  } catch {
    return null;
  }
}

/** The content of a file on this machine, to send to a remote server. */
export async function contentOf(path: string, { maxBytes, takesInput }: FileArg): Promise<Blob> {
  if (path === "-" && takesInput) return new Blob([await inputBytes(maxBytes)]);
  return Bun.file(locateFile(path, maxBytes).path);
}

/** The bytes of the file that the person means, or of standard input for `-`. */
export async function readGivenBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  const isInput = path === "-" && !fileSent();
  return isInput ? inputBytes(maxBytes) : Bun.file(locateFile(path, maxBytes).path).bytes();
}

async function inputBytes(maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of streams().input()) {
    size += chunk.length;
    if (size > maxBytes) tooLarge("standard input", maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Null if there is nothing at this path; fails if a folder on the way is closed. */
function readStat(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if ((error as { code?: string }).code === "EACCES") return failUnreadable(path);
    throw error;
  }
}

function checkReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch {
    failUnreadable(path);
  }
}

function failUnreadable(path: string): never {
  return fail("BAD_REQUEST", `${path} cannot be read: you have no permission.`);
}

function checkSize(file: GivenFile, named: string, maxBytes: number): GivenFile {
  return file.size > maxBytes ? tooLarge(named, maxBytes) : file;
}

function tooLarge(named: string, maxBytes: number): never {
  return fail("BAD_REQUEST", `${named} is larger than the maximum of ${limitText(maxBytes)}.`);
}

function limitText(maxBytes: number): string {
  return maxBytes % mib === 0 ? `${maxBytes / mib} MiB` : bytesText(maxBytes);
}
