import type { FileName } from "@/foundation/file-stores/schema.ts";
import { findFile, onThisMachine, writeWhole } from "@/foundation/files/files.ts";
import { within } from "@/foundation/files/pictures.ts";
import { fileErrors } from "@/foundation/files/schema.ts";
import type { Env } from "@/kernel/core/context.ts";
import { fail, isError } from "@/kernel/lib/errors.ts";
import { type ThumbnailFormat, thumbnailFormats, type UploadRow } from "./schema.ts";

const making = new Map<string, Promise<void>>();

/**
 * An image's thumbnail, which is made on first use and kept. An animated image is its own animated thumbnail.
 */
export async function thumbnailOf(env: Env, row: UploadRow, format: ThumbnailFormat): Promise<FileName> {
  if (format.animated && row.is_animated) return { shelf: "uploads", name: row.file };
  const file: FileName = { shelf: "thumbnails", name: `${row.file}.webp` };
  if (await findFile(env, file)) return file;
  const key = `${env.files}/${row.file}`;
  const underWay = making.get(key) ?? make(env, file, row, format).finally(() => making.delete(key));
  making.set(key, underWay);
  await underWay;
  return file;
}

/** Whether a picture can be shown small: makes the thumbnails, so that a message with it shows them at once. */
export async function hasThumbnails(env: Env, row: UploadRow): Promise<boolean> {
  try {
    for (const format of thumbnailFormats) await thumbnailOf(env, row, format);
    return true;
  } catch (error) {
    if (isError(error, "NOT_FOUND")) return false;
    throw error;
  }
}

async function make(env: Env, file: FileName, row: UploadRow, format: ThumbnailFormat): Promise<void> {
  const source: FileName = { shelf: "uploads", name: row.file };
  const bytes = await onThisMachine(env, source, (path) =>
    within(path, format.max_width, format.max_height),
  ).catch((error) => {
    // A valid header does not guarantee a valid image.
    if (isError(error, fileErrors.BAD_IMAGE)) return null;
    throw error;
  });
  if (bytes === null) fail("NOT_FOUND", "This image is damaged and cannot be shown.");
  await writeWhole(env, file, bytes);
}
