import { existsSync } from "node:fs";
import { pathOf, writeWhole } from "@/foundation/files/files.ts";
import { within } from "@/foundation/files/pictures.ts";
import type { Env } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { UploadRow } from "./rows.ts";
import type { ThumbnailFormat } from "./schema.ts";

const making = new Map<string, Promise<void>>();

/**
 * The path of an image's thumbnail, which is made on first use and kept. An animated image is its own animated thumbnail.
 */
export async function thumbnailOf(env: Env, row: UploadRow, format: ThumbnailFormat): Promise<string> {
  if (format.animated && row.is_animated) return pathOf(env, "uploads", row.file);
  const path = pathOf(env, "thumbnails", `${row.file}.webp`);
  if (existsSync(path)) return path;
  const underWay = making.get(path) ?? make(env, path, row, format).finally(() => making.delete(path));
  making.set(path, underWay);
  await underWay;
  return path;
}

async function make(env: Env, path: string, row: UploadRow, format: ThumbnailFormat): Promise<void> {
  const source = pathOf(env, "uploads", row.file);
  // A valid header does not guarantee a valid image.
  const bytes = await within(source, format.max_width, format.max_height).catch(() =>
    fail("NOT_FOUND", "This image is damaged and cannot be shown."),
  );
  await writeWhole(env, path, bytes);
}
