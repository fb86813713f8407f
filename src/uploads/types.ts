// What a file is, from its first bytes: neither its name nor what a client says decides what a browser may show.

export const unknownType = "application/octet-stream";
/** How much of a file `typeOf` looks at. */
export const headBytes = 4096;

const starts: readonly [type: string, bytes: string][] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["application/pdf", "%PDF-"],
  ["audio/flac", "fLaC"],
  ["audio/mpeg", "ID3"],
  ["audio/mpeg", "\xff\xfb"],
  ["audio/mpeg", "\xff\xf3"],
  ["audio/aac", "\xff\xf1"],
  ["audio/aac", "\xff\xf9"],
];

const brands: Record<string, string> = {
  avif: "image/avif",
  avis: "image/avif",
  "M4A ": "audio/mp4",
  "M4B ": "audio/mp4",
  "qt  ": "video/quicktime",
  isom: "video/mp4",
  iso2: "video/mp4",
  iso5: "video/mp4",
  iso6: "video/mp4",
  mp41: "video/mp4",
  mp42: "video/mp4",
  avc1: "video/mp4",
  "M4V ": "video/mp4",
  dash: "video/mp4",
};

/** The types a browser shows without running anything in them; everything else is downloaded. */
export function isShownInline(type: string): boolean {
  return type !== unknownType;
}

/** The type of a file that begins so; `name` decides only whether it is plain text. */
export function typeOf(head: Buffer, name: string): string {
  const text = head.toString("latin1");
  const known = starts.find(([, bytes]) => text.startsWith(bytes));
  if (known) return known[0];
  return containerType(text) ?? (isPlainText(head, name) ? "text/plain; charset=utf-8" : unknownType);
}

function containerType(text: string): string | null {
  const inside = text.slice(8, 12);
  if (text.startsWith("RIFF") && inside === "WEBP") return "image/webp";
  if (text.startsWith("RIFF") && inside === "WAVE") return "audio/wav";
  if (text.slice(4, 8) === "ftyp") return brands[inside] ?? null;
  if (text.startsWith("OggS")) return text.includes("\x80theora") ? "video/ogg" : "audio/ogg";
  if (text.startsWith("\x1a\x45\xdf\xa3") && text.slice(0, 64).includes("webm")) return "video/webm";
  return null;
}

function isPlainText(head: Buffer, name: string): boolean {
  if (!/\.(?:txt|log|md|csv|tsv|json|ya?ml|toml|ini|conf|diff|patch)$/i.test(name)) return false;
  return !head.includes(0);
}
