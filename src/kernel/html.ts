/** Markup that is safe to send. */
export interface Html {
  readonly text: string;
}

type Part = Html | string | number | false | null | readonly Html[];

/** A template whose values are text, and escaped, unless they are markup made by another. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { text: strings.reduce((text, string, i) => text + markup(parts[i - 1] ?? null) + string) };
}

function markup(part: Part): string {
  if (part === null || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "text" in part ? part.text : part.map(({ text }) => text).join("");
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
