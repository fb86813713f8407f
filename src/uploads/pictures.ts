// Pictures decoded, resized and encoded off the main thread; one at a time, so that memory stays bounded.
import { open } from "node:fs/promises";
import { isAnimated } from "./animation.ts";

/** A header that declares more is not decoded: with four bytes a pixel this is 160 MB. */
export const maxPixels = 40_000_000;
const options = { maxPixels };
const shown = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const animationHeadBytes = 4_194_304;

export interface PictureFacts {
  width: number | null;
  height: number | null;
  is_animated: 0 | 1;
}

const noPicture: PictureFacts = { width: null, height: null, is_animated: 0 };

/** The size of a picture that can be shown, from its header. */
export async function pictureFacts(path: string, type: string): Promise<PictureFacts> {
  if (!shown.includes(type)) return noPicture;
  try {
    const { width, height } = await new Bun.Image(path, options).metadata();
    return { width, height, is_animated: isAnimated(await beginningOf(path)) ? 1 : 0 };
  } catch {
    return noPicture;
  }
}

async function beginningOf(path: string): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, animationHeadBytes));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one decoding after another. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work);
  last = mine.catch(() => {});
  return mine;
}
