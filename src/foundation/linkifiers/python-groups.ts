// Reads what follows an opening parenthesis in Python's patterns.
import { type Flags, type PatternReader, peek, refuse, take, takeIf } from "./python-reader.ts";

export interface GroupStart {
  captures: boolean;
  /** The flags inside the group. */
  flags: Flags;
}

/** Reads what follows the parenthesis; null for comments, and for flags of the whole pattern. */
export function readGroupStart(
  reader: PatternReader,
  flags: Flags,
  mayTakeFlags: boolean,
): GroupStart | null {
  if (!takeIf(reader, "?")) return beginCapture(reader, flags, null);
  const sign = take(reader);
  switch (sign) {
    case ":":
      return { captures: false, flags };
    case "#":
      return skipComment(reader);
    case "P":
      return readNamed(reader, flags);
    case "=":
    case "!":
      return refuse(`lookahead (?${sign}…) is not supported`, reader);
    case "<":
      return refuseBehind(reader);
    case "(":
      return refuse("conditions such as (?(1)…) are not supported", reader);
    case ">":
      return refuse("atomic groups such as (?>…) are not supported", reader);
    default:
      return readFlags(reader, flags, sign, mayTakeFlags);
  }
}

function beginCapture(reader: PatternReader, flags: Flags, name: string | null): GroupStart {
  const number = ++reader.groups;
  if (name !== null) reader.names.set(name, number);
  return { captures: true, flags };
}

function skipComment(reader: PatternReader): null {
  while (peek(reader) !== ")") {
    if (take(reader) === "") refuse("missing ) at the end of a comment", reader);
  }
  take(reader);
  return null;
}

const identifier = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

function readNamed(reader: PatternReader, flags: Flags): GroupStart {
  const sign = take(reader);
  if (sign === "=") refuse("backreferences such as (?P=name) are not supported", reader);
  if (sign !== "<") refuse(`(?P${sign} means nothing: a named group is (?P<name>…)`, reader);
  let name = "";
  for (let next = take(reader); next !== ">"; next = take(reader)) {
    if (next === "") refuse("missing > after the name of a group", reader);
    name += next;
  }
  if (!identifier.test(name)) refuse(`'${name}' cannot name a group: use letters, digits and _`, reader);
  if (reader.names.has(name)) refuse(`two groups are named '${name}'`, reader);
  return beginCapture(reader, flags, name);
}

function refuseBehind(reader: PatternReader): never {
  const sign = take(reader);
  if (sign !== "=" && sign !== "!") refuse("(?< means nothing: a named group is (?P<name>…)", reader);
  return refuse(`lookbehind (?<${sign}…) is not supported`, reader);
}

const flagNames: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiline",
  s: "dotAll",
  x: "verbose",
  a: "ascii",
  u: "unicode",
};

/** `(?im)` for the whole pattern, `(?i-s:…)` for a group. */
function readFlags(
  reader: PatternReader,
  flags: Flags,
  sign: string,
  mayTakeFlags: boolean,
): GroupStart | null {
  reader.at -= sign.length > 0 ? 1 : 0;
  const on = readFlagLetters(reader);
  if (on !== "" && takeIf(reader, ")")) {
    if (!mayTakeFlags) refuse(`flags such as (?${on}) must be at the beginning`, reader);
    change(reader, flags, on, true);
    return null;
  }
  const off = takeIf(reader, "-") ? readFlagLetters(reader) : null;
  if (off === "" || (on === "" && off === null) || !takeIf(reader, ":")) {
    const next = peek(reader);
    refuse(
      next === "" ? "missing closing )" : `(?${on}${off === null ? "" : `-${off}`}${next} means nothing`,
      reader,
    );
  }
  if (/[au]/.test(off ?? "")) refuse("the flags a and u cannot be turned off", reader);
  if ([...(off ?? "")].some((flag) => on.includes(flag))) refuse("a flag is turned both on and off", reader);
  const inner = { ...flags };
  if (/[au]/.test(on)) Object.assign(inner, { ascii: false, unicode: false });
  change(reader, inner, on, true);
  change(reader, inner, off ?? "", false);
  return { captures: false, flags: inner };
}

function readFlagLetters(reader: PatternReader): string {
  let letters = "";
  while (Object.hasOwn(flagNames, peek(reader))) letters += take(reader);
  return letters;
}

function change(reader: PatternReader, flags: Flags, letters: string, to: boolean): void {
  for (const letter of letters) {
    const name = flagNames[letter];
    if (name !== undefined) flags[name] = to;
  }
  if (flags.ascii && flags.unicode) refuse("the flags a and u exclude each other", reader);
}
