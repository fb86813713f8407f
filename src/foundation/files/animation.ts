// Moving pictures: whether a file is one, its frames, and the first of them.
import { type Frame, gifFrames, hasTwoImages } from "./gif.ts";
import { firstOf, isMovingWebp, webpFrames } from "./webp.ts";

const isGif = (bytes: Buffer) => bytes.toString("latin1", 0, 4) === "GIF8";

/** True for GIF and WebP files of more than one frame, as far as their beginning tells. */
export function isAnimated(bytes: Buffer): boolean {
  return isGif(bytes) ? hasTwoImages(bytes) : isMovingWebp(bytes);
}

/** Each frame of a moving picture in turn; the raster is drawn on again once the next is asked for. */
export async function* framesOf(bytes: Buffer, maxPixels: number): AsyncGenerator<Frame> {
  if (isGif(bytes)) yield* gifFrames(bytes, maxPixels);
  else yield* webpFrames(bytes, maxPixels);
}

/** What a decoder of still pictures takes: the first frame of a moving WebP file, every other file as it is. */
export function stillOf(bytes: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return (isMovingWebp(bytes) ? firstOf(bytes) : null) ?? new Uint8Array(bytes);
}
