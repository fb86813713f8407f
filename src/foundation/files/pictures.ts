// Decodes, resizes and encodes pictures off the main thread; one at a time, to limit memory.

import { open } from "node:fs/promises";
import { fail, isError } from "@/kernel/lib/errors.ts";
import { framesOf, isAnimated, stillOf } from "./animation.ts";
import { centre, imageOf, maxPixels, type Raster, rasterOf, tooLarge } from "./raster.ts";
import { fileErrors } from "./schema.ts";
import { headBytes, typeOf } from "./types.ts";
import { animationOf } from "./webp.ts";

const options = { maxPixels };
const shown = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const animationHeadBytes = 4_194_304;

export interface PictureFacts {
  width: number | null;
  height: number | null;
  is_animated: 0 | 1;
}

const noPicture: PictureFacts = { width: null, height: null, is_animated: 0 };

/** Reads a picture's size and other facts from its header. */
export async function pictureFacts(path: string, type: string): Promise<PictureFacts> {
  if (!shown.includes(type)) return noPicture;
  try {
    const { width, height } = await new Bun.Image(path, options).metadata();
    return { width, height, is_animated: isAnimated(await beginningOf(path)) ? 1 : 0 };
  } catch {
    return noPicture;
  }
}

interface FileFacts extends PictureFacts {
  content_type: string;
}

/** The type of a file, and the facts of a picture. */
export async function recognizeFile(path: string, name: string): Promise<FileFacts> {
  const content_type = await typeOf(await beginningOf(path, headBytes), name);
  return { content_type, ...(await pictureFacts(path, content_type)) };
}

async function beginningOf(path: string, max = animationHeadBytes): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, max));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Scales a picture down to fit a box, as WebP; of an animation, the first frame. */
export function within(path: string, width: number, height: number): Promise<Uint8Array> {
  return decoding(async () => {
    // A large file stays on disk; only animations must be read here, because the decoder does not know them.
    const isMoving = isAnimated(await beginningOf(path));
    return new Bun.Image(isMoving ? stillOf(await bytesAt(path)) : path, options)
      .resize(width, height, { fit: "inside", withoutEnlargement: true })
      .webp()
      .bytes();
  });
}

/** Cuts the middle of a picture to a square. */
export function square(path: string, size: number): Promise<Uint8Array> {
  return decoding(async () => {
    const bytes = stillOf(await bytesAt(path));
    const covering = coveringSize(await image(bytes).metadata(), size);
    const raster = await rasterOf(image(bytes).resize(...covering));
    const cut = await imageOf(centre(raster, size, size));
    return cut.webp().bytes();
  });
}

interface Size {
  width: number;
  height: number;
}

const maxSideRatio = 8;

/** The size at which a picture just covers a square; a very long picture is compressed. */
function coveringSize({ width, height }: Size, size: number): [number, number] {
  const scale = size / Math.min(width, height);
  const side = (length: number) => Math.min(Math.max(size, Math.round(length * scale)), maxSideRatio * size);
  return [side(width), side(height)];
}

export interface Icon {
  picture: Uint8Array;
  /** The first frame of an animation; null for other pictures. */
  still: Uint8Array | null;
}

/** We draw frames ourselves, in slices and with several copies: this many take 50 MB. */
const maxFramePixels = 2_000_000;
/** For all frames together: limits the work for one small picture. */
const maxAnimatedPixels = 100_000_000;
const minFramePixels = 100_000;

/** Puts a whole picture in the middle of a square; an animation stays animated. */
export function icon(path: string, size: number): Promise<Icon> {
  return decoding(async () => {
    const bytes = await bytesAt(path);
    const makeSquare = async (source: Bun.Image, facts: Size) =>
      centre(await rasterOf(source.resize(...fittingSize(facts, size))), size, size);
    const first = stillOf(bytes);
    const drawn = await imageOf(await makeSquare(image(first), await image(first).metadata()));
    const still = await drawn.webp().bytes();
    if (!isAnimated(bytes)) return { picture: still, still: null };
    const small = async (raster: Raster) => makeSquare(await imageOf(raster), raster);
    return { picture: await animationOf(resizeFrames(bytes, small), size, size), still };
  });
}

async function* resizeFrames(bytes: Buffer, small: (raster: Raster) => Promise<Raster>) {
  let pixels = 0;
  for await (const { raster, milliseconds, unpacked } of framesOf(bytes, maxFramePixels)) {
    pixels += Math.max(raster.width * raster.height, unpacked, minFramePixels);
    if (pixels > maxAnimatedPixels) fail(fileErrors.BAD_IMAGE, "This animation is too long or too large.");
    yield { raster: await small(raster), milliseconds };
  }
}

function fittingSize({ width, height }: Size, size: number): [number, number] {
  const scale = size / Math.max(width, height);
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

function image(bytes: Uint8Array<ArrayBuffer>): Bun.Image {
  return new Bun.Image(bytes, options);
}

async function bytesAt(path: string): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from((await Bun.file(path).arrayBuffer()) as ArrayBuffer);
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one decoding after another; a failure to decode becomes an error for the user. */
function decoding<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work).catch(asBadImage);
  last = mine.catch(() => {});
  return mine;
}

function asBadImage(error: unknown): never {
  if (isError(error, fileErrors.BAD_IMAGE)) throw error;
  if ((error as { code?: string }).code === "ERR_IMAGE_TOO_MANY_PIXELS") tooLarge();
  fail(
    fileErrors.BAD_IMAGE,
    "This file could not be read as a picture. Supported formats are PNG, JPEG, GIF and WebP.",
  );
}
