const comma = 0x2c;
const zero = 0x30;
const maxDigits = 16;

/** Writes JSON as bytes: where most of it is numbers and repeated parts, several times quicker than joining texts. */
export class JsonWriter {
  private bytes: Buffer<ArrayBuffer>;
  private at = 0;

  constructor(firstSize = 256) {
    this.bytes = Buffer.allocUnsafeSlow(firstSize);
  }

  get length(): number {
    return this.at;
  }

  text(text: string): void {
    this.reserve(text.length * 3);
    this.at += this.bytes.write(text, this.at);
  }

  copy(part: Uint8Array): void {
    this.reserve(part.length);
    this.bytes.set(part, this.at);
    this.at += part.length;
  }

  /** As `copy`, of the bytes from `from` to before `to`. */
  copyFrom(part: Buffer, from: number, to: number): void {
    this.reserve(to - from);
    this.at += part.copy(this.bytes, this.at, from, to);
  }

  /** Non-negative safe integers with commas between them. */
  integers(numbers: readonly number[]): void {
    for (let i = 0; i < numbers.length; i++) {
      if (i > 0) this.bytes[this.at++] = comma; // there is room: see below
      this.integer(numbers[i] as number);
    }
  }

  /** A non-negative safe integer. */
  integer(number: number): void {
    this.reserve(maxDigits + 1); // and a comma after it
    const { bytes } = this;
    let digits = 1;
    for (let power = 10; power <= number; power *= 10) digits++;
    this.at += digits;
    let at = this.at;
    let left = number;
    do {
      const tenth = Math.floor(left / 10);
      bytes[--at] = zero + left - tenth * 10;
      left = tenth;
    } while (left > 0);
  }

  /** What has been written so far; nothing may be written afterwards. */
  end(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.at);
  }

  private reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + more));
    larger.set(this.bytes.subarray(0, this.at));
    this.bytes = larger;
  }
}
