// A database file as a stream: compressed blocks, each preceded by its length, then a zero and the file's SHA-256.
import { OpenFile } from "@/kernel/store/open-file.ts";

const blockBytes = 1_024 * 1_024;
const lengthBytes = 4;
const digestBytes = 32;

/** Called with the number of database bytes written so far. */
export type OnBytes = (done: number) => void;

export function pack(file: string): ReadableStream<Uint8Array> {
  const blocks = packFile(file);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await blocks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await blocks.return(undefined)),
  });
}

async function* packFile(file: string): AsyncGenerator<Uint8Array, void> {
  const hasher = new Bun.CryptoHasher("sha256");
  const source = await OpenFile.toRead(file);
  try {
    const block = Buffer.alloc(blockBytes);
    for (let at = 0; ; ) {
      const bytesRead = await source.read(block, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      const data = block.subarray(0, bytesRead);
      hasher.update(data);
      const small = await Bun.zstdCompress(data, { level: 1 });
      yield Buffer.concat([lengthOf(small.length), small]);
    }
  } finally {
    await source.close();
  }
  yield Buffer.concat([lengthOf(0), hasher.digest()]);
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(bytes);
  return length;
}

/** Unpacks the file to disk; throws if the stream is incomplete or corrupt. */
export async function unpack(
  source: AsyncIterable<Uint8Array>,
  file: string,
  onBytes: OnBytes,
): Promise<void> {
  const hasher = new Bun.CryptoHasher("sha256");
  const target = await OpenFile.create(file);
  try {
    const bytes = new Bytes(source);
    for (let done = 0; ; ) {
      const length = (await bytes.take(lengthBytes)).readUInt32BE();
      if (length === 0) break;
      const data = await Bun.zstdDecompress(await bytes.take(length));
      hasher.update(data);
      await target.append(data);
      done += data.length;
      onBytes(done);
    }
    if (!hasher.digest().equals(await bytes.take(digestBytes)))
      throw new Error("its checksum does not match");
    await target.sync();
  } finally {
    await target.close();
  }
}

/** Bytes that arrive in pieces of any size. */
class Bytes {
  private readonly source: AsyncIterator<Uint8Array>;
  private held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [this.held];
    let there = this.held.length;
    while (there < count) {
      const { done, value } = await this.source.next();
      if (done) throw new Error("it ends early");
      pieces.push(value);
      there += value.length;
    }
    const all = pieces.length === 1 ? this.held : Buffer.concat(pieces);
    this.held = all.subarray(count);
    return all.subarray(0, count);
  }
}
