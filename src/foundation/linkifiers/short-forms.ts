// Linkifiers backwards: the short form of an address, such as #12. Clients use it where an address is pasted.

/** A template of short forms in parts: texts, and names of groups that are inserted. */
export type ShortForm = readonly (string | { readonly name: string })[];

/** `{name}` inserts a group, `{{` and `}}` are braces. Null for any other use of braces. */
export function parseShortForm(source: string): ShortForm | null {
  const parts: (string | { name: string })[] = [];
  for (const [whole, name] of source.matchAll(/\{\{|\}\}|\{([^{}]+)\}|[^{}]+|[{}]/g)) {
    if (name !== undefined) parts.push({ name });
    else if (whole === "{" || whole === "}") return null;
    else parts.push(whole === "{{" || whole === "}}" ? whole.charAt(0) : whole);
  }
  return parts;
}

/** A group without a value inserts nothing. */
export function expandShortForm(form: ShortForm, values: Readonly<Record<string, string>>): string {
  return form.map((part) => (typeof part === "string" ? part : (values[part.name] ?? ""))).join("");
}

interface Linkified {
  readonly url_template: string;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
}

/** The text that the first linkifier that knows this address has for it; null if no linkifier does. */
export function shortFormOf(address: string, linkifiers: readonly Linkified[]): string | null {
  for (const { reverse_template, url_template, alternative_url_templates } of linkifiers) {
    const form = reverse_template === null ? null : parseShortForm(reverse_template);
    if (form === null) continue;
    for (const template of [url_template, ...alternative_url_templates]) {
      const values = valuesIn(address, template);
      if (values !== null) return expandShortForm(form, values);
    }
  }
  return null;
}

/** What an operator of RFC 6570 writes before the first value, between values, and whether it names them. */
const operators: Readonly<Record<string, { first: string; next: string; named?: true; whole?: true }>> = {
  "": { first: "", next: "," },
  "+": { first: "", next: ",", whole: true },
  "#": { first: "#", next: ",", whole: true },
  ".": { first: ".", next: "." },
  "/": { first: "/", next: "/" },
  ";": { first: ";", next: ";", named: true },
  "?": { first: "?", next: "&", named: true },
  "&": { first: "&", next: "&", named: true },
};

type Part = string | { readonly name: string; readonly whole: boolean };

/** The values with which the template gives this address. Null if there are none, or it takes more than one look to find them. */
function valuesIn(address: string, template: string): Record<string, string> | null {
  const parts = partsOf(template);
  if (parts === null) return null;
  const values: Record<string, string> = {};
  let at = 0;
  for (const [n, part] of parts.entries()) {
    if (typeof part === "string") {
      if (!address.startsWith(part, at)) return null;
      at += part.length;
      continue;
    }
    const next = parts[n + 1];
    if (next !== undefined && typeof next !== "string") return null;
    const end = next === undefined ? address.length : address.indexOf(next, at);
    const value = end < 0 ? null : decodeValue(address.slice(at, end), part.whole);
    if (value === null || (values[part.name] ?? value) !== value) return null;
    values[part.name] = value;
    at = end;
  }
  return at === address.length ? values : null;
}

/** Texts that follow each other are one. Null where a template cuts values or inserts lists. */
function partsOf(template: string): Part[] | null {
  const parts: Part[] = [];
  const add = (text: string) => {
    const last = parts.at(-1);
    if (typeof last === "string") parts[parts.length - 1] = last + text;
    else if (text !== "") parts.push(text);
  };
  for (const [text, operator = "", names] of template.matchAll(/\{([+#./;?&]?)([^{}]*)\}|[^{}]+/g)) {
    const { first, next, named, whole = false } = operators[operator] ?? { first: "", next: "" };
    if (names === undefined) add(text);
    for (const [n, name] of names?.split(",").entries() ?? []) {
      if (/[:*]/.test(name)) return null;
      add((n === 0 ? first : next) + (named ? `${name}=` : ""));
      parts.push({ name, whole });
    }
  }
  return parts;
}

function decodeValue(text: string, whole: boolean): string | null {
  if (text === "" || (!whole && /[/?#&]/.test(text))) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
