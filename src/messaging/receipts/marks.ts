// Read marks as values: everything up to the seq `upto` is read; bit n of `bits` is set if seq upto + 1 + n is read.

export interface Mark {
  readonly upto: number;
  readonly bits: Uint8Array | null;
}

export const unmarked: Mark = { upto: 0, bits: null };

export function isRead({ upto, bits }: Mark, seq: number): boolean {
  if (seq <= upto) return true;
  const at = seq - upto - 1;
  return (((bits?.[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
}

/** The mark with these seqs also read. */
export function withRead(mark: Mark, seqs: readonly number[]): Mark {
  const above = seqs.filter((seq) => seq > mark.upto);
  if (above.length === 0) return mark;
  const bits = grow(mark.bits, Math.max(...ends(above)) - mark.upto);
  for (const seq of above) setBit(bits, seq - mark.upto - 1);
  return settle(mark.upto, bits);
}

/** The mark with these seqs unread. Other seqs up to `upto` stay read. */
export function withUnread(mark: Mark, seqs: readonly number[]): Mark {
  if (seqs.length === 0) return mark;
  const [lowest, highest] = ends(seqs) as [number, number];
  const lowered = lowest <= mark.upto ? lowerMark(mark, lowest - 1) : mark;
  const bits = grow(lowered.bits, highest - lowered.upto);
  for (const seq of seqs) clearBit(bits, seq - lowered.upto - 1);
  return settle(lowered.upto, bits);
}

export interface SeqRange {
  from: number;
  /** Inclusive. */
  to: number;
}

const worthACut = 8;

/**
 * Ranges up to `top` that contain all unread seqs, ascending. They leave out only runs of at least `worthACut` bytes in
 * which everything is read, so they also contain read seqs.
 */
export function unreadRanges({ upto, bits }: Mark, top: number): SeqRange[] {
  if (bits === null) return upto < top ? [{ from: upto + 1, to: top }] : [];
  const ranges: SeqRange[] = [];
  const { length } = bits;
  let first = 0;
  let readBytes = 0;
  for (let at = 0; at <= length; at++) {
    if (bits[at] === 0xff) readBytes++;
    else {
      if (readBytes >= worthACut) {
        ranges.push({ from: upto + 1 + first * 8, to: upto + (at - readBytes) * 8 });
        first = at;
      }
      readBytes = 0;
    }
  }
  ranges.push({ from: upto + 1 + first * 8, to: top });
  return ranges.map(({ from, to }) => ({ from, to: Math.min(to, top) })).filter(({ from, to }) => from <= to);
}

function ends(seqs: readonly number[]): [number, number] {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const seq of seqs) {
    if (seq < lowest) lowest = seq;
    if (seq > highest) highest = seq;
  }
  return [lowest, highest];
}

/** An equal mark with a lower `upto`. */
function lowerMark({ upto, bits }: Mark, lower: number): Mark {
  const by = upto - lower;
  const shifted = new Uint8Array(Math.ceil((by + (bits?.length ?? 0) * 8) / 8));
  for (let at = 0; at < by; at++) setBit(shifted, at);
  for (let at = 0; at < (bits?.length ?? 0) * 8; at++) if (hasBit(bits, at)) setBit(shifted, at + by);
  return { upto: lower, bits: shifted };
}

/** Raises `upto` to the first gap, and drops trailing zeros. */
function settle(upto: number, bits: Uint8Array): Mark {
  let run = 0;
  while (bits[run >> 3] === 0xff) run += 8;
  while (hasBit(bits, run)) run++;
  const rest = run === 0 ? bits : shiftDown(bits, run);
  let length = rest.length;
  while (length > 0 && rest[length - 1] === 0) length--;
  return { upto: upto + run, bits: length === 0 ? null : rest.subarray(0, length) };
}

function shiftDown(bits: Uint8Array, by: number): Uint8Array {
  const bytes = by >> 3;
  const small = by & 7;
  const shifted = new Uint8Array(Math.max(0, bits.length - bytes));
  for (let i = 0; i < shifted.length; i++) {
    const low = bits[i + bytes] ?? 0;
    const high = bits[i + bytes + 1] ?? 0;
    shifted[i] = ((low | (high << 8)) >> small) & 0xff;
  }
  return shifted;
}

function grow(bits: Uint8Array | null, length: number): Uint8Array {
  const size = Math.max(bits?.length ?? 0, Math.ceil(Math.max(0, length) / 8));
  const copy = new Uint8Array(size);
  if (bits) copy.set(bits);
  return copy;
}

const hasBit = (bits: Uint8Array | null, at: number) => (((bits?.[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;

function setBit(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
}

function clearBit(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] ?? 0) & ~(1 << (at & 7));
}
