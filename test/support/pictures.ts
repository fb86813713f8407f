// Makes small pictures for tests.
import { crc32, deflateSync } from "node:zlib";

type Pixel = (x: number, y: number) => readonly [number, number, number, number];

/** A PNG file; by default its left half is red and its right half blue. */
export function png(width: number, height: number, pixel: Pixel = halves(width)): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(pixel(x, y), y * (width * 4 + 1) + 1 + x * 4);
  }
  return pngOf(width, height, deflateSync(rows));
}

const halves =
  (width: number): Pixel =>
  (x) =>
    x < width / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255];

/** A PNG file whose header declares a size that its content does not have. */
export function pngOf(width: number, height: number, content: Buffer): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return new Uint8Array(
    Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", content), chunk("IEND", Buffer.alloc(0))]),
  );
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** A GIF file that declares this size, and sizes of its frames, in pixels; it contains at most 2 by 2 of them. */
interface Said {
  side?: number;
  frameSide?: number;
}

/** A GIF file with this many frames of 2 by 2 pixels, in red, green, blue and so on. */
export function gif(frames: number, { side = 2, frameSide = 2 }: Said = {}): Uint8Array<ArrayBuffer> {
  const two = (value: number) => [value & 255, value >> 8];
  const head = [..."GIF89a"].map((char) => char.charCodeAt(0));
  const screen = [...two(side), ...two(side), 0x91, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0];
  const loop = [0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((char) => char.charCodeAt(0)), 3, 1, 0, 0, 0];
  const frame = (n: number) => {
    // Codes of three bits: a clear (4) before each pixel, so that codes never get longer, and the end (5).
    const colour = n % 3;
    const codes = [4, colour, 4, colour, 4, colour, 4, colour, 5];
    const bits = codes.reduce((sum, code, i) => sum | (BigInt(code) << BigInt(3 * i)), 0n);
    const bytes = [0n, 8n, 16n, 24n].map((shift) => Number((bits >> shift) & 255n));
    const control = [0x21, 0xf9, 4, 0, 10, 0, 0, 0];
    const area = [0, 0, 0, 0, ...two(frameSide), ...two(frameSide)];
    return [...control, 0x2c, ...area, 0, 2, 4, ...bytes, 0];
  };
  const all = Array.from({ length: frames }, (_, n) => frame(n)).flat();
  return new Uint8Array([...head, ...screen, ...(frames > 1 ? loop : []), ...all, 0x3b]);
}

/** A GIF file with two whole frames, each of one colour. The side is even, as four pixels take three bytes. */
export function largeGif(side: number): Uint8Array<ArrayBuffer> {
  const picture = Buffer.from(gif(2, { side, frameSide: side }));
  const [first, second] = [picture.indexOf(0x2c), picture.lastIndexOf(0x2c)];
  const bare = 11; // what stands before the codes
  const codes = (colour: number) => {
    const four = [0, 6, 12, 18].reduce((sum, shift) => sum | ((4 | (colour << 3)) << shift), 0);
    const blocks = Math.ceil((side * side) / 4 / 85);
    const block = Buffer.concat([
      Buffer.from([255]),
      Buffer.alloc(255, Buffer.from([four & 255, (four >> 8) & 255, four >> 16])),
    ]);
    return Buffer.concat([...Array.from({ length: blocks }, () => block), Buffer.from([0])]);
  };
  const to = (at: number) => picture.subarray(at, at + bare);
  const between = picture.subarray(first + bare + 6, second);
  return new Uint8Array(
    Buffer.concat([
      picture.subarray(0, first),
      to(first),
      codes(0),
      between,
      to(second),
      codes(1),
      Buffer.from([0x3b]),
    ]),
  );
}

export function file(
  content: string | Uint8Array<ArrayBuffer>,
  name: string,
  type = "application/octet-stream",
): File {
  return new File([content], name, { type });
}
