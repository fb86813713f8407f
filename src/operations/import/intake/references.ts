// Placeholders in a text for people, channels, files and messages that have no ID here yet.

const [open, close, between] = ["\u{e000}", "\u{e001}", "\u{e002}"];
const marks = /[\u{e000}-\u{e002}]/gu;
const reference = /\u{e000}([a-z]+)\u{e002}([^\u{e000}\u{e001}]*)\u{e001}/gu;

/**
 * Kinds of placeholders, and their parts: person: key. silent: key. channel: key. topic: channel's key, topic. file: key, name.
 * address: file's key. near: channel's key, topic, message's key, URL to use if the message is not in the export.
 */
export type ReferenceKind = "person" | "silent" | "channel" | "topic" | "file" | "address" | "near";

/** A placeholder, which `resolveReferences` replaces. */
export function referTo(kind: ReferenceKind, ...parts: readonly string[]): string {
  return `${open}${[kind, ...parts.map(withoutMarks)].join(between)}${close}`;
}

/** The text without the characters that placeholders use, and without NUL. */
export function withoutMarks(text: string): string {
  return text.replaceAll(marks, "\u{fffd}").replaceAll("\0", "");
}

/** The text with all placeholders replaced. */
export function resolveReferences(
  text: string,
  replace: (kind: ReferenceKind, parts: readonly string[]) => string,
): string {
  if (!text.includes(open)) return text;
  return text.replaceAll(reference, (_, kind: string, rest: string) =>
    replace(kind as ReferenceKind, rest.split(between)),
  );
}
