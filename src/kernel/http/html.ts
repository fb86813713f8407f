import { raw, html as template } from "hono/html";

/** Markup that is safe to send. */
export interface Html {
  readonly text: string;
}

type Part = Html | string | number | false | null | readonly Html[];

/** A template whose values are text, and escaped, unless they are markup made by another. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { text: String(template(strings, ...parts.map(toTemplateValue))) };
}

function toTemplateValue(part: Part): unknown {
  if (part === null || typeof part !== "object") return part;
  return raw("text" in part ? part.text : part.map(({ text }) => text).join(""));
}

/** The source expression by which a content security policy allows this inline style or script. */
export function sourceOf(inline: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(inline).digest("base64")}'`;
}
