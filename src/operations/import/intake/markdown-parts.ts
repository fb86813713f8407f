// Finds the code in a Markdown text.

const code = /(^|\n)(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n\2[`~]*(?=\n|$)|$)|(`+)(?!`)[\s\S]*?[^`]\3(?!`)/g;

/** Applies `change` to everything except code. */
export function outsideCode(text: string, change: (part: string) => string): string {
  if (!text.includes("`") && !text.includes("~~~")) return change(text);
  let result = "";
  let at = 0;
  for (const found of text.matchAll(code)) {
    result += change(text.slice(at, found.index)) + found[0];
    at = found.index + found[0].length;
  }
  return result + change(text.slice(at));
}
