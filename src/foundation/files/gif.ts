// Frames of GIF files as viewers show them: each drawn over the frames before it. Ours, because omggif draws a frame that
// reaches beyond the picture into other rows, and leaves clearing frames and limiting pixels to its callers.
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import { newRaster, type Raster, tooLarge } from "./raster.ts";

export interface Frame {
  raster: Raster;
  milliseconds: number;
  /** How many pixels were unpacked for it, including those outside the raster. */
  unpacked: number;
}

interface Control {
  milliseconds: number;
  transparent: number | null;
  disposal: number;
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

const noControl: Control = { milliseconds: 100, transparent: null, disposal: 0 };
const [extensionBlock, imageBlock] = [0x21, 0x2c];
const [clearArea, restoreBefore] = [2, 3];

/** Yields the frames. The raster is reused: asking for the next frame changes it. Throws if the file is damaged. */
export async function* gifFrames(bytes: Buffer, maxPixels: number): AsyncGenerator<Frame> {
  const canvas = newRaster(bytes.readUInt16LE(6), bytes.readUInt16LE(8), maxPixels);
  const shared = tableAt(bytes, 13, bytes.readUInt8(10));
  let at = 13 + shared.length;
  let control = noControl;
  const used = new TimeUsed();
  for (;;) {
    const block = bytes[at];
    if (block === extensionBlock) {
      if (bytes.readUInt8(at + 1) === 0xf9) control = controlAt(bytes, at + 3);
      at = afterSubBlocks(bytes, at + 2);
    } else if (block === imageBlock) {
      const area = areaAt(bytes, at + 1);
      const unpacked = area.width * area.height;
      if (unpacked > maxPixels) tooLarge();
      const own = tableAt(bytes, at + 10, bytes.readUInt8(at + 9));
      const start = at + 10 + own.length;
      const end = afterSubBlocks(bytes, start + 1);
      const colours = own.length > 0 ? own : shared;
      const before = control.disposal === restoreBefore ? Buffer.from(canvas.pixels) : null;
      const indices = await runInSlices(unpack(bytes, start, end, unpacked), used);
      const isInterlaced = (bytes.readUInt8(at + 9) & 0x40) !== 0;
      await runInSlices(draw(canvas, area, { indices, colours, control, isInterlaced }), used);
      yield { raster: canvas, milliseconds: control.milliseconds, unpacked };
      if (before) before.copy(canvas.pixels);
      else if (control.disposal === clearArea) clear(canvas, area);
      control = noControl;
      at = end;
    } else return;
  }
}

/** True if a second image begins within these bytes. */
export function hasTwoImages(bytes: Buffer): boolean {
  let at = 13 + tableAt(bytes, 13, bytes[10] ?? 0).length;
  for (let images = 0; at < bytes.length; ) {
    if (bytes[at] === imageBlock) {
      if (++images > 1) return true;
      at = afterSubBlocks(bytes, at + 11 + tableAt(bytes, at + 10, bytes[at + 9] ?? 0).length);
    } else if (bytes[at] === extensionBlock) at = afterSubBlocks(bytes, at + 2);
    else return false;
  }
  return false;
}

function tableAt(bytes: Buffer, at: number, flags: number): Buffer {
  return bytes.subarray(at, at + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0));
}

function afterSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += size + 1;
  return at + 1;
}

/** Like browsers, shows frames with a delay under 20 ms for 100 ms. */
function controlAt(bytes: Buffer, at: number): Control {
  const flags = bytes.readUInt8(at);
  const hundredths = bytes.readUInt16LE(at + 1);
  return {
    milliseconds: hundredths < 2 ? 100 : hundredths * 10,
    transparent: flags & 1 ? bytes.readUInt8(at + 3) : null,
    disposal: (flags >> 2) & 7,
  };
}

function areaAt(bytes: Buffer, at: number): Area {
  const [left = 0, top = 0, width = 0, height = 0] = [0, 2, 4, 6].map((more) =>
    bytes.readUInt16LE(at + more),
  );
  return { left, top, width, height };
}

const maxCodes = 4096;
const maxBits = 12;
/** How many codes to read in one step: each can mean thousands of pixels. */
const codesAtOnce = 256;

/** Unpacks the colour numbers of a frame (LZW). Each code but the first few means a sequence seen before. */
function* unpack(bytes: Buffer, start: number, end: number, count: number): Task<Uint8Array> {
  const rootBits = bytes.readUInt8(start);
  if (rootBits < 1 || rootBits > 8) throw new Error("A frame's code size is wrong");
  const read = bitsOf(joinBlocks(bytes, start + 1, end));
  const [clear, stop] = [1 << rootBits, (1 << rootBits) + 1];
  const [starts, lengths] = [new Uint32Array(maxCodes), new Uint32Array(maxCodes)];
  const out = new Uint8Array(count);
  let [next, bits, written, last] = [clear + 2, rootBits + 1, 0, 0];
  let left = codesAtOnce;
  for (let code = read(bits); code >= 0 && code !== stop && written < count; code = read(bits)) {
    if (--left === 0) {
      left = codesAtOnce;
      yield codesAtOnce;
    }
    if (code === clear) {
      [next, bits, last] = [clear + 2, rootBits + 1, 0];
      continue;
    }
    if (last > 0 && next < maxCodes) {
      starts[next] = written - last;
      lengths[next] = last + 1;
      if (++next === 1 << bits && bits < maxBits) bits++;
    }
    if (code >= next) throw new Error("A frame's codes are wrong");
    const [from, length] = code < clear ? [-1, 1] : [starts[code] as number, lengths[code] as number];
    if (from < 0) out[written] = code;
    else for (let i = 0; i < length; i++) out[written + i] = out[from + i] as number;
    written += length;
    last = length;
  }
  return out;
}

/** Returns a function that reads a number of the given bits, lowest bit first; -1 at the end. */
function bitsOf(bytes: Buffer): (bits: number) => number {
  let [at, held, count] = [0, 0, 0];
  return (bits) => {
    for (; count < bits; count += 8) {
      if (at >= bytes.length) return -1;
      held |= (bytes[at++] as number) << count;
    }
    const value = held & ((1 << bits) - 1);
    held >>>= bits;
    count -= bits;
    return value;
  };
}

function joinBlocks(bytes: Buffer, from: number, to: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = from; at < to; at += bytes.readUInt8(at) + 1) {
    parts.push(bytes.subarray(at + 1, at + 1 + bytes.readUInt8(at)));
  }
  return Buffer.concat(parts);
}

interface Drawing {
  indices: Uint8Array;
  colours: Buffer;
  control: Control;
  isInterlaced: boolean;
}

function* draw(canvas: Raster, area: Area, { indices, colours, control, isInterlaced }: Drawing): Task<void> {
  const rows = isInterlaced ? interlacedRows(area.height) : null;
  const opaque = opaqueColours(colours);
  const { buffer, byteOffset, length } = canvas.pixels;
  const pixels = new Uint32Array(buffer, byteOffset, length / 4);
  const width = Math.min(area.width, canvas.width - area.left);
  for (let row = 0; row < area.height; row++) {
    const y = area.top + (rows ? (rows[row] as number) : row);
    if (y >= canvas.height) continue;
    drawRow(pixels.subarray(y * canvas.width + area.left), indices.subarray(row * area.width), width);
    yield 1;
  }

  function drawRow(to: Uint32Array, from: Uint8Array, count: number): void {
    for (let x = 0; x < count; x++) {
      const index = from[x] as number;
      if (index !== control.transparent) to[x] = opaque[index] as number;
    }
  }
}

/** A table of colours as opaque pixels; black for colours that it does not have. */
function opaqueColours(table: Buffer): Uint32Array {
  const pixels = new Uint8Array(256 * 4);
  for (let index = 0; index < 256; index++) {
    pixels.set(table.subarray(index * 3, index * 3 + 3), index * 4);
    pixels[index * 4 + 3] = 255;
  }
  return new Uint32Array(pixels.buffer);
}

/** The order in which an interlaced frame's rows are stored. */
function interlacedRows(height: number): number[] {
  const every = (step: number, from: number) =>
    Array.from({ length: Math.max(0, Math.ceil((height - from) / step)) }, (_, n) => from + n * step);
  return [...every(8, 0), ...every(8, 4), ...every(4, 2), ...every(2, 1)];
}

function clear(canvas: Raster, area: Area): void {
  const width = Math.min(area.width, canvas.width - area.left);
  for (let y = area.top; y < Math.min(canvas.height, area.top + area.height); y++) {
    const at = (y * canvas.width + area.left) * 4;
    if (width > 0) canvas.pixels.fill(0, at, at + width * 4);
  }
}
