// Marks in a text that refer to people, channels, files and messages, until these have IDs here.

const [open, close, between] = ["\u{e000}", "\u{e001}", "\u{e002}"];
const marks = /[\u{e000}-\u{e002}]/gu;
const reference = /\u{e000}([a-z]+)\u{e002}([^\u{e000}\u{e001}]*)\u{e001}/gu;

/**
 * person: key. silent: key. channel: key. topic: channel's key, topic. file: key, shown name. address: file's key. near: channel's key, topic, message's key, the address
 * to use if it is not there. */
export type Kind = "person" | "silent" | "channel" | "topic" | "file" | "address" | "near";

/** A mark for what has no ID yet; the writer replaces it. */
export function referTo(kind: Kind, ...parts: readonly string[]): string {
  return `${open}${[kind, ...parts.map(withoutMarks)].join(between)}${close}`;
}

/** A text from an export without what we use as marks, and without what no text may hold. */
export function withoutMarks(text: string): string {
  return text.replaceAll(marks, "\u{fffd}").replaceAll("\0", "");
}

/** The text with each mark replaced. */
export function resolved(text: string, replace: (kind: Kind, parts: readonly string[]) => string): string {
  if (!text.includes(open)) return text;
  return text.replaceAll(reference, (_, kind: string, rest: string) =>
    replace(kind as Kind, rest.split(between)),
  );
}
