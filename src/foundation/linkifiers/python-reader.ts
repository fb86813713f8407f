// The position in a pattern that is being read, and the state there.

export interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  ascii: boolean;
  /** True if the flag was given; without `ascii`, patterns are Unicode anyway. */
  unicode: boolean;
  verbose: boolean;
}

export interface PatternReader {
  readonly characters: readonly string[];
  at: number;
  /** How many groups have begun. */
  groups: number;
  /** The number of each named group. */
  readonly names: Map<string, number>;
}

/** Throws an error with the position of the last character read. */
export function refuse(reason: string, { at }: PatternReader): never {
  throw new Error(`${reason} (at character ${Math.max(1, at)})`);
}

export function peek({ characters, at }: PatternReader): string {
  return characters[at] ?? "";
}

/** The next character; empty at the end. */
export function take(reader: PatternReader): string {
  const next = peek(reader);
  if (next !== "") reader.at++;
  return next;
}

export function takeIf(reader: PatternReader, expected: string): boolean {
  const isNext = peek(reader) === expected;
  if (isNext) reader.at++;
  return isNext;
}
