// Whether a picture moves, and its first frame, as far as that needs no decoding.

/** True for GIF and WebP files of more than one frame, as far as their beginning tells. */
export function isAnimated(bytes: Buffer): boolean {
  const kind = bytes.toString("latin1", 0, 4);
  if (kind === "GIF8") return hasTwoImages(bytes);
  return kind === "RIFF" && bytes.toString("latin1", 12, 16) === "VP8X" && ((bytes[20] ?? 0) & 2) !== 0;
}

const imageBlock = 0x2c;
const extensionBlock = 0x21;

function hasTwoImages(bytes: Buffer): boolean {
  let at = 13 + tableBytes(bytes[10] ?? 0);
  for (let images = 0; at < bytes.length; ) {
    const block = bytes[at];
    if (block === imageBlock) {
      if (++images > 1) return true;
      at = afterSubBlocks(bytes, at + 11 + tableBytes(bytes[at + 9] ?? 0));
    } else if (block === extensionBlock) at = afterSubBlocks(bytes, at + 2);
    else return false;
  }
  return false;
}

/** The length of a colour table that follows flags. */
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

function afterSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

/** What a decoder of still pictures takes: the first frame of an animated WebP file, every other file as it is. */
export function firstFrame(given: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.toString("latin1", 0, 4) !== "RIFF") return new Uint8Array(bytes);
  for (const { type, start, end } of chunksOf(bytes, 12, bytes.length)) {
    if (type === "ANMF") return stillWebp(bytes, start, end);
  }
  return new Uint8Array(bytes);
}

interface Chunk {
  type: string;
  /** Where the chunk's header begins, and its content. */
  at: number;
  start: number;
  end: number;
}

function* chunksOf(bytes: Buffer, from: number, to: number): Generator<Chunk> {
  for (let at = from; at + 8 <= to; ) {
    const start = at + 8;
    const end = start + bytes.readUInt32LE(at + 4);
    if (end > to) return;
    yield { type: bytes.toString("latin1", at, at + 4), at, start, end };
    at = end + ((end - start) & 1);
  }
}

const frameHead = 16;

/** A frame's picture as a file of its own. */
function stillWebp(bytes: Buffer, start: number, end: number): Uint8Array<ArrayBuffer> {
  const size = bytes.subarray(start + 6, start + 12);
  const inside = bytes.subarray(start + frameHead, end);
  const hasAlpha = inside.toString("latin1", 0, 4) === "ALPH";
  const extended = Buffer.concat([Buffer.from("VP8X\x0a\0\0\0\x10\0\0\0", "latin1"), size]);
  const body = Buffer.concat([Buffer.from("WEBP"), ...(hasAlpha ? [extended] : []), inside]);
  const head = Buffer.alloc(8);
  head.write("RIFF", "latin1");
  head.writeUInt32LE(body.length, 4);
  return new Uint8Array(Buffer.concat([head, body]));
}
