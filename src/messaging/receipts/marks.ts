// Read marks as values: everything up to `upto` is read, and bit n of `bits` says that seq upto + 1 + n is too.

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

/** The mark with these seqs read as well. */
export function withRead(mark: Mark, seqs: readonly number[]): Mark {
  const above = seqs.filter((seq) => seq > mark.upto);
  if (above.length === 0) return mark;
  const bits = grown(mark.bits, Math.max(...ends(above)) - mark.upto);
  for (const seq of above) setBit(bits, seq - mark.upto - 1);
  return settled(mark.upto, bits);
}

/** The mark with these seqs unread; what lies between them and `upto` stays read. */
export function withUnread(mark: Mark, seqs: readonly number[]): Mark {
  if (seqs.length === 0) return mark;
  const [least, most] = ends(seqs) as [number, number];
  const lowered = least <= mark.upto ? loweredTo(mark, least - 1) : mark;
  const bits = grown(lowered.bits, most - lowered.upto);
  for (const seq of seqs) clearBit(bits, seq - lowered.upto - 1);
  return settled(lowered.upto, bits);
}

export interface Stretch {
  from: number;
  /** Included. */
  to: number;
}

const worthACut = 8;

/**
 * Stretches up to `top` that hold all that is unread, ascending. They are cut by whole bytes, and only where at least
 * `worthACut` of them in a row say read, so read ones may lie in between.
 */
export function unreadStretches({ upto, bits }: Mark, top: number): Stretch[] {
  const stretches: Stretch[] = [];
  const length = bits?.length ?? 0;
  let first = 0;
  let readBytes = 0;
  for (let at = 0; at <= length; at++) {
    if (bits?.[at] === 0xff) readBytes++;
    else {
      if (readBytes >= worthACut) {
        stretches.push({ from: upto + 1 + first * 8, to: upto + (at - readBytes) * 8 });
        first = at;
      }
      readBytes = 0;
    }
  }
  stretches.push({ from: upto + 1 + first * 8, to: top });
  return stretches
    .map(({ from, to }) => ({ from, to: Math.min(to, top) }))
    .filter(({ from, to }) => from <= to);
}

function ends(seqs: readonly number[]): [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const seq of seqs) {
    if (seq < least) least = seq;
    if (seq > most) most = seq;
  }
  return [least, most];
}

/** The same reads told from a lower `upto`. */
function loweredTo({ upto, bits }: Mark, lower: number): Mark {
  const by = upto - lower;
  const shifted = new Uint8Array(Math.ceil((by + (bits?.length ?? 0) * 8) / 8));
  for (let at = 0; at < by; at++) setBit(shifted, at);
  for (let at = 0; at < (bits?.length ?? 0) * 8; at++) if (hasBit(bits, at)) setBit(shifted, at + by);
  return { upto: lower, bits: shifted };
}

/** Moves `upto` over what is read without a gap, and drops bits that say nothing. */
function settled(upto: number, bits: Uint8Array): Mark {
  let run = 0;
  while (bits[run >> 3] === 0xff) run += 8;
  while (hasBit(bits, run)) run++;
  const rest = run === 0 ? bits : shiftedDown(bits, run);
  let length = rest.length;
  while (length > 0 && rest[length - 1] === 0) length--;
  return { upto: upto + run, bits: length === 0 ? null : rest.subarray(0, length) };
}

function shiftedDown(bits: Uint8Array, by: number): Uint8Array {
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

function grown(bits: Uint8Array | null, length: number): Uint8Array {
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
