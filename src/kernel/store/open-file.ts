// A file that stays open while others are waited for: who reads its pieces, or sends what is written.
import { close, fsync, open, read, write } from "node:fs";
import { promisify } from "node:util";

const opened = promisify(open);
const readPiece = promisify(read);
const writePiece = promisify(write);
const synced = promisify(fsync);
const closed = promisify(close);

/** Closes the files that nobody can reach any more, such as those of a generator whose reader went away without ending it. */
const abandoned = new FinalizationRegistry<number>((descriptor) => close(descriptor, () => {}));

/** Unlike a `FileHandle`, which ends the process when it is collected before it was closed. */
export class OpenFile {
  private constructor(private readonly descriptor: number) {
    abandoned.register(this, descriptor, this);
  }

  static async toRead(path: string): Promise<OpenFile> {
    return new OpenFile(await opened(path, "r"));
  }

  /** Creates a file that only its owner may read; throws if it exists. */
  static async create(path: string): Promise<OpenFile> {
    return new OpenFile(await opened(path, "wx", 0o600));
  }

  /** Fills a piece from a position on; returns how many bytes there were, 0 at the end. */
  async read(piece: Uint8Array, at: number): Promise<number> {
    return (await readPiece(this.descriptor, piece, 0, piece.length, at)).bytesRead;
  }

  /** Appends all bytes of a piece. */
  async append(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.byteLength; ) {
      at += (await writePiece(this.descriptor, piece, at, piece.byteLength - at)).bytesWritten;
    }
  }

  sync(): Promise<void> {
    return synced(this.descriptor);
  }

  close(): Promise<void> {
    abandoned.unregister(this);
    return closed(this.descriptor);
  }
}
