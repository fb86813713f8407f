const maxLength = 100;
const fallback = "uploaded-file";

/** A file's name for display and in addresses: without a path and without special characters. */
export function safeName(given: string): string {
  const base = given.normalize("NFKC").split(/[\\/]/).at(-1) ?? "";
  const kept = base
    .replaceAll(/[^\p{L}\p{M}\p{N}\s._-]/gu, "")
    .trim()
    .replaceAll(/[\s-]+/g, "-");
  const dot = kept.lastIndexOf(".");
  const stem = (dot < 0 ? kept : kept.slice(0, dot)).replaceAll(/^[.-]+|[.-]+$/g, "");
  const ending = dot < 0 ? "" : kept.slice(dot + 1).replaceAll(/-/g, "");
  if (ending === "") return cut(stem || fallback, maxLength);
  const short = cut(ending, 20);
  return `${cut(stem || fallback, maxLength - short.length - 1)}.${short}`;
}

function cut(text: string, max: number): string {
  let end = "";
  for (const point of text) {
    if (end.length + point.length > max) break;
    end += point;
  }
  return end;
}
