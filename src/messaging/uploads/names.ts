const maxLength = 100;
const fallback = "uploaded-file";

/** A file's name as it is shown and stands in addresses: no path, no marks that mean something elsewhere. */
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

function cut(text: string, most: number): string {
  let end = "";
  for (const point of text) {
    if (end.length + point.length > most) break;
    end += point;
  }
  return end;
}
