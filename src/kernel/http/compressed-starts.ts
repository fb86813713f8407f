// Compresses the start that many answers share once; the end of each is appended to it uncompressed.
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { Bytes } from "@/kernel/lib/ended-json.ts";

/** Makes a complete compressed body of an end, which must be shorter than 64 KB. */
type Ender = (ending: Bytes) => Bytes;

/** By encoding. One that is missing compresses each answer as a whole. */
export const enders: Readonly<Record<string, (start: Bytes) => Ender>> = { gzip: gzipEnder, zstd: zstdEnder };

/** RFC 1952: no name, no time, compressed quickly, of any system. */
const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255);

/** RFC 1951: a flush ends the start at a whole byte, and a stored block can follow. */
function gzipEnder(start: Bytes): Ender {
  const deflated = deflateRawSync(start, { level: 1, finishFlush: constants.Z_SYNC_FLUSH });
  const checksum = crc32(start);
  return (ending) => {
    const stored = Buffer.allocUnsafe(5);
    stored[0] = 1; // the last block, stored
    stored.writeUInt16LE(ending.length, 1);
    stored.writeUInt16LE(~ending.length & 0xffff, 3);
    const trailer = Buffer.allocUnsafe(8);
    trailer.writeUInt32LE(crc32(ending, checksum), 0);
    trailer.writeUInt32LE(start.length + ending.length, 4);
    return Buffer.concat([gzipHeader, deflated, stored, ending, trailer]);
  };
}

const zstdMagic = 0xfd2f_b528;
/** The bytes of a frame's content size, by the two upper bits of its descriptor; with 0, one byte if it is a single segment. */
const sizeBytes = [0, 2, 4, 8];
const rawBlock = 0;
const repeatedByteBlock = 1;

/** RFC 8878: the frame's blocks, of which the last is no longer marked as such, and an uncompressed block after them. */
function zstdEnder(start: Bytes): Ender {
  const frame = Buffer.from(Bun.zstdCompressSync(start, { level: 1 }));
  const blocks = Buffer.from(frame.subarray(headerLength(frame)));
  const last = lastBlock(blocks);
  blocks[last] = (blocks[last] ?? 0) & ~1;
  return (ending) => {
    const header = Buffer.allocUnsafe(9);
    header.writeUInt32LE(zstdMagic, 0);
    header[4] = 0b1010_0000; // a single segment, its size in four bytes, no checksum
    header.writeUInt32LE(start.length + ending.length, 5);
    const block = Buffer.allocUnsafe(3);
    block.writeUIntLE((ending.length << 3) | (rawBlock << 1) | 1, 0, 3);
    return Buffer.concat([header, blocks, block, ending]);
  };
}

function headerLength(frame: Buffer): number {
  const descriptor = frame[4] ?? 0;
  const isSingleSegment = (descriptor & 0b10_0000) !== 0;
  if ((descriptor & 0b111) !== 0) throw new Error("A zstd frame has a checksum or a dictionary.");
  const size = sizeBytes[descriptor >> 6] || (isSingleSegment ? 1 : 0);
  return 5 + (isSingleSegment ? 0 : 1) + size;
}

/** Where the header of the last block is. */
function lastBlock(blocks: Buffer): number {
  for (let at = 0; ; ) {
    const header = blocks.readUIntLE(at, 3);
    if ((header & 1) === 1) return at;
    at += 3 + (((header >> 1) & 3) === repeatedByteBlock ? 1 : header >> 3);
  }
}
