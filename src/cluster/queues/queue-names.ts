// IDs of event queues that say how the queue was opened: where in the sequence of event IDs, and the digest of its terms. Only a node
// can make one, and each is for one user.
import { isSame } from "@/foundation/secrets/secrets.ts";

const nonceBytes = 8;
/** In hexadecimal digits. */
const length = { nonce: 2 * nonceBytes, digest: 32, proof: 24 };
const form = new RegExp(
  `^(\\d{1,16})-[0-9a-f]{${length.nonce}}([0-9a-f]{${length.digest}})[0-9a-f]{${length.proof}}$`,
);

export interface ParsedQueueId {
  readonly start: number;
  readonly digest: string;
}

export class QueueNames {
  constructor(private readonly secret: string) {}

  /** Of terms, as text. */
  digestOf(text: string): string {
    return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, length.digest);
  }

  idOf({ start, digest }: ParsedQueueId, userId: number): string {
    const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes)).toHex();
    const said = `${start}-${nonce}${digest}`;
    return said + this.proofOf(said, userId);
  }

  /** Null unless a node has made this ID for a queue of this user. */
  read(queueId: string, userId: number): ParsedQueueId | null {
    const [, start, digest] = form.exec(queueId) ?? [];
    if (start === undefined || digest === undefined) return null;
    const said = queueId.slice(0, -length.proof);
    return isSame(queueId.slice(-length.proof), this.proofOf(said, userId))
      ? { start: Number(start), digest }
      : null;
  }

  /** The digest in the ID of an open queue; null if that is no such ID. */
  digestIn(queueId: string): string | null {
    return form.exec(queueId)?.[2] ?? null;
  }

  private proofOf(said: string, userId: number): string {
    const hasher = new Bun.CryptoHasher("sha256", this.secret);
    return hasher.update(`event queue ${said} of ${userId}`).digest("hex").slice(0, length.proof);
  }
}
