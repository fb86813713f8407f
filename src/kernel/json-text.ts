/**
 * JSON made beforehand, as a value of an answer's object: long lists are put into words once and sent as they are to
 * everyone who reads the same. It holds bytes, because they are what is sent.
 */
export class JsonText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  private hash: string | null = null;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /** Differs where the bytes do; made when first asked for. */
  get tag(): string {
    this.hash ??= Bun.hash(this.bytes).toString(36);
    return this.hash;
  }

  /** For whoever needs the value: JSON.stringify, and tests. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }
}

/** An object as JSON: text, or bytes where values of its own are a JsonText. */
export function jsonOf(answer: object): string | Uint8Array<ArrayBuffer> {
  const values = Object.values(answer);
  if (!values.some((value) => value instanceof JsonText)) return JSON.stringify(answer);
  const pieces: Uint8Array[] = [];
  let text = "{";
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    text += `${text.endsWith("{") && pieces.length === 0 ? "" : ","}${JSON.stringify(name)}:`;
    if (value instanceof JsonText) {
      pieces.push(Buffer.from(text), value.bytes);
      text = "";
    } else text += JSON.stringify(value);
  }
  pieces.push(Buffer.from(`${text}}`));
  return Buffer.concat(pieces);
}

/** The entity tag of an answer that holds prepared texts; null for others, which would cost as much to tag as to send. */
export function tagOf(answer: object): string | null {
  const values = Object.values(answer);
  if (!values.some((value) => value instanceof JsonText)) return null;
  const parts = values.map((value) => (value instanceof JsonText ? value.tag : JSON.stringify(value)));
  return `W/"${Bun.hash(parts.join(" ")).toString(36)}"`;
}
