/**
 * Serialized JSON as a value in an answer: a long list is serialized once and sent to everyone who gets the same list.
 * It holds bytes, because bytes are sent.
 */
export class JsonText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  private hash: string | null = null;

  constructor(json: string | Uint8Array<ArrayBuffer>) {
    this.bytes = typeof json === "string" ? Buffer.from(json) : json;
  }

  /** A hash of the bytes, computed on first use. */
  get tag(): string {
    this.hash ??= Bun.hash(this.bytes).toString(36);
    return this.hash;
  }

  /** For JSON.stringify and tests, which need the value. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }
}

/** The ETag of an answer that holds a JsonText; null for others, which cost as much to hash as to send. */
export function tagOf(answer: object): string | null {
  const values = Object.values(answer);
  if (!values.some((value) => value instanceof JsonText)) return null;
  const parts = values.map((value) => (value instanceof JsonText ? value.tag : JSON.stringify(value)));
  return `W/"${Bun.hash(parts.join(" ")).toString(36)}"`;
}

const [bracket, endOfObject, endOfList] = ["[", "},", "}]"].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** A JSON list of objects that lack their last brace. */
export class OpenList {
  private readonly pieces: Uint8Array[] = [];

  /** Begins the next object. */
  next(open: Uint8Array): void {
    this.pieces.push(this.pieces.length === 0 ? bracket : endOfObject, open);
  }

  /** Adds members to the object that was begun last, each with a comma before it. */
  add(members: Uint8Array): void {
    this.pieces.push(members);
  }

  end(): JsonText {
    return new JsonText(this.pieces.length === 0 ? "[]" : Buffer.concat([...this.pieces, endOfList]));
  }
}

export function listOfOpen(objects: readonly Uint8Array[]): JsonText {
  const list = new OpenList();
  for (const one of objects) list.next(one);
  return list.end();
}
