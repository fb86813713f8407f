// Pictures as pixels; passed to and from the decoder as uncompressed PNG files.

import { promisify } from "node:util";
import { crc32, deflate, inflate } from "node:zlib";
import { fail } from "@/kernel/lib/errors.ts";
import { fileErrors } from "./schema.ts";

/** Larger pictures are not decoded: at four bytes a pixel, this is 160 MB. */
export const maxPixels = 40_000_000;

/** Four bytes a pixel: red, green, blue and alpha. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Makes transparent pixels; throws for none or more than `max`. */
export function newRaster(width: number, height: number, max = maxPixels): Raster {
  if (width * height === 0) throw new Error("A picture must have pixels");
  if (width * height > max) tooLarge();
  return { width, height, pixels: Buffer.from(new ArrayBuffer(width * height * 4)) };
}

export function tooLarge(): never {
  fail(fileErrors.BAD_IMAGE, "This picture is too large to be decoded.");
}

// Large pictures take tens of milliseconds, so they are packed and unpacked in other threads.
const [packed, unpacked] = [promisify(deflate), promisify(inflate)];

/** Decodes an image to pixels. */
export async function rasterOf(image: Bun.Image): Promise<Raster> {
  const png = Buffer.from(await image.png({ compressionLevel: 0 }).bytes());
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const rows: Buffer = await unpacked(Buffer.concat(contentOf(png)));
  const stride = width * 4;
  // Eight bits, four channels, no filters: the output of an encoder without compression.
  if (png.readUInt16BE(24) !== 0x0806 || rows.length !== (stride + 1) * height) {
    throw new Error("The decoder's pixels have an unexpected form");
  }
  const raster = newRaster(width, height);
  for (let y = 0; y < height; y++) {
    const at = y * (stride + 1);
    if (rows[at] !== 0) throw new Error("The decoder's pixels are filtered");
    rows.copy(raster.pixels, y * stride, at + 1, at + 1 + stride);
  }
  return raster;
}

function contentOf(png: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = signature.length; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") found.push(png.subarray(at + 8, end));
    at = end + 4;
  }
  return found;
}

/** Makes an image of pixels. */
export async function imageOf({ width, height, pixels }: Raster): Promise<Bun.Image> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const stride = width * 4;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y++) pixels.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  return new Bun.Image(pngFile(header, await packed(rows, { level: 0 })));
}

/** Makes a PNG file from its header, its compressed content and, if given, its palette. */
export function pngFile(header: Buffer, content: Buffer, palette?: Buffer): Uint8Array<ArrayBuffer> {
  const chunks = [chunk("IHDR", header), ...(palette ? [chunk("PLTE", palette)] : [])];
  return joinParts([
    signature,
    ...chunks.flat(),
    ...chunk("IDAT", content),
    ...chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The parts of a chunk, which are not joined here: a body may have megabytes. */
function chunk(type: string, body: Buffer): Buffer[] {
  const [length, name, sum] = [Buffer.alloc(4), Buffer.from(type, "latin1"), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(body, crc32(name)));
  return [length, name, body, sum];
}

function joinParts(parts: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Centres a picture in a new size: cuts off what is outside, and fills the rest with transparent pixels. */
export function centre(source: Raster, width: number, height: number): Raster {
  const target = newRaster(width, height);
  const left = Math.floor((width - source.width) / 2);
  const top = Math.floor((height - source.height) / 2);
  const from = Math.max(0, -left);
  const count = Math.min(width, source.width);
  for (let y = Math.max(0, top); y < Math.min(height, top + source.height); y++) {
    const start = ((y - top) * source.width + from) * 4;
    source.pixels.copy(target.pixels, (y * width + Math.max(0, left)) * 4, start, start + count * 4);
  }
  return target;
}
