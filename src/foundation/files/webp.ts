// The container format of WebP: takes animations apart into frames, and puts them together. Ours, because Bun.Image decodes
// the frames already, and node-webpmux does not find its decoder inside the executable.
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import type { Frame } from "./gif.ts";
import { imageOf, newRaster, type Raster, rasterOf } from "./raster.ts";

interface Chunk {
  type: string;
  content: Buffer;
}

function* chunksOf(bytes: Buffer, from: number): Generator<Chunk> {
  for (let at = from; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) return;
    yield { type: bytes.toString("latin1", at, at + 4), content: bytes.subarray(at + 8, end) };
    at = end + (end & 1);
  }
}

/** Whether the header declares an animation. */
export function isMovingWebp(bytes: Buffer): boolean {
  const kind = bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 16);
  return kind === "RIFFWEBPVP8X" && ((bytes[20] ?? 0) & 2) !== 0;
}

/** Yields the frames of an animation. The raster is reused: asking for the next frame changes it. */
export async function* webpFrames(bytes: Buffer, maxPixels: number): AsyncGenerator<Frame> {
  const canvas = newRaster(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1, maxPixels);
  const used = new TimeUsed();
  for (const { type, content } of chunksOf(bytes, 12)) {
    if (type !== "ANMF") continue;
    const flags = content.readUInt8(15);
    const [left, top] = [content.readUIntLE(0, 3) * 2, content.readUIntLE(3, 3) * 2];
    const frame = await rasterOf(new Bun.Image(stillOf(content), { maxPixels }));
    await runInSlices(lay(canvas, frame, { left, top, isOpaque: (flags & 2) !== 0 }), used);
    const unpacked = frame.width * frame.height;
    yield { raster: canvas, milliseconds: content.readUIntLE(12, 3), unpacked };
    if (flags & 1) {
      const nothing = newRaster(frame.width, frame.height, maxPixels);
      await runInSlices(lay(canvas, nothing, { left, top, isOpaque: true }), used);
    }
  }
}

/** The first frame of an animation as a separate file, or null. */
export function firstOf(bytes: Buffer): Uint8Array<ArrayBuffer> | null {
  for (const { type, content } of chunksOf(bytes, 12)) if (type === "ANMF") return stillOf(content);
  return null;
}

const frameHead = 16;

/** A frame's picture as a separate file. */
function stillOf(content: Buffer): Uint8Array<ArrayBuffer> {
  const inside = content.subarray(frameHead);
  const hasAlpha = inside.toString("latin1", 0, 4) === "ALPH";
  const extended = chunk("VP8X", Buffer.concat([Buffer.from([0x10, 0, 0, 0]), content.subarray(6, 12)]));
  return riff(hasAlpha ? [extended, inside] : [inside]);
}

/** Draws a frame on the canvas; blends transparent parts unless the frame is opaque. */
function* lay(
  canvas: Raster,
  frame: Raster,
  { left, top, isOpaque }: { left: number; top: number; isOpaque: boolean },
): Task<void> {
  const width = Math.min(frame.width, canvas.width - left);
  if (width <= 0) return;
  for (let y = 0; y < Math.min(frame.height, canvas.height - top); y++) {
    const from = y * frame.width * 4;
    const to = ((top + y) * canvas.width + left) * 4;
    if (isOpaque) frame.pixels.copy(canvas.pixels, to, from, from + width * 4);
    else for (let x = 0; x < width; x++) blend(canvas.pixels, to + x * 4, frame.pixels, from + x * 4);
    yield width;
  }
}

function blend(under: Buffer, to: number, over: Buffer, from: number): void {
  const solid = (over[from + 3] as number) / 255;
  if (solid === 0) return;
  const rest = ((under[to + 3] as number) / 255) * (1 - solid);
  const sum = solid + rest;
  if (sum === 0) return;
  for (let part = 0; part < 3; part++) {
    under[to + part] = Math.round(
      ((over[from + part] as number) * solid + (under[to + part] as number) * rest) / sum,
    );
  }
  under[to + 3] = Math.round(sum * 255);
}

/** Makes an endless animation of frames of the same size. */
export async function animationOf(
  frames: AsyncIterable<Omit<Frame, "unpacked">>,
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const head = Buffer.alloc(10);
  head[0] = 0x12;
  head.writeUIntLE(width - 1, 4, 3);
  head.writeUIntLE(height - 1, 7, 3);
  const chunks = [chunk("VP8X", head), chunk("ANIM", Buffer.alloc(6))];
  for await (const { raster, milliseconds } of frames) {
    const still = Buffer.from(await (await imageOf(raster)).webp().bytes());
    const place = Buffer.alloc(frameHead);
    place.writeUIntLE(raster.width - 1, 6, 3);
    place.writeUIntLE(raster.height - 1, 9, 3);
    place.writeUIntLE(Math.min(milliseconds, 0xffffff), 12, 3);
    // Replaces what was there.
    place[15] = 2;
    chunks.push(chunk("ANMF", Buffer.concat([place, ...picturesIn(still)])));
  }
  return riff(chunks);
}

function picturesIn(still: Buffer): Buffer[] {
  const wanted = [...chunksOf(still, 12)].filter(({ type }) => ["ALPH", "VP8 ", "VP8L"].includes(type));
  return wanted.map(({ type, content }) => chunk(type, content));
}

function chunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length & 1)]);
}

function riff(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const body = Buffer.concat([Buffer.from("WEBP"), ...chunks]);
  const head = Buffer.alloc(8);
  head.write("RIFF", "latin1");
  head.writeUInt32LE(body.length, 4);
  return new Uint8Array(Buffer.concat([head, body]));
}
