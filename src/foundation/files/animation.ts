// Animated pictures: detecting them, their frames, and their first frame.
import { type Frame, gifFrames, hasTwoImages } from "./gif.ts";
import { firstOf, isMovingWebp, webpFrames } from "./webp.ts";

const isGif = (bytes: Buffer) => bytes.toString("latin1", 0, 4) === "GIF8";

/** True if the beginning of a GIF or WebP file shows that it has more than one frame. */
export function isAnimated(bytes: Buffer): boolean {
  return isGif(bytes) ? hasTwoImages(bytes) : isMovingWebp(bytes);
}

/** Yields the frames of an animation. The raster is reused: asking for the next frame changes it. */
export async function* framesOf(bytes: Buffer, maxPixels: number): AsyncGenerator<Frame> {
  if (isGif(bytes)) yield* gifFrames(bytes, maxPixels);
  else yield* webpFrames(bytes, maxPixels);
}

/** Input for a decoder of still pictures: the first frame of an animated WebP file, other files unchanged. */
export function stillOf(bytes: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return (isMovingWebp(bytes) ? firstOf(bytes) : null) ?? new Uint8Array(bytes);
}
