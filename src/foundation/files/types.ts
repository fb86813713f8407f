// Detects a file's type from its first bytes. Names and types from clients do not decide what a browser may show.

export const unknownType = "application/octet-stream";
/** How many bytes of a file `typeOf` needs. */
export const headBytes = 4096;

/** Types that browsers show without running code: detected type → the type that the file is served with. */
const shown = new Map([
  ["image/png", "image/png"],
  ["image/apng", "image/png"],
  ["image/jpeg", "image/jpeg"],
  ["image/gif", "image/gif"],
  ["image/webp", "image/webp"],
  ["image/avif", "image/avif"],
  ["application/pdf", "application/pdf"],
  ["audio/flac", "audio/flac"],
  ["audio/mpeg", "audio/mpeg"],
  ["audio/aac", "audio/aac"],
  ["audio/wav", "audio/wav"],
  ["audio/ogg", "audio/ogg"],
  ["audio/ogg; codecs=opus", "audio/ogg"],
  ["audio/mp4", "audio/mp4"],
  ["audio/x-m4a", "audio/mp4"],
  ["video/mp4", "video/mp4"],
  ["video/x-m4v", "video/mp4"],
  ["video/quicktime", "video/quicktime"],
  ["video/ogg", "video/ogg"],
  ["video/webm", "video/webm"],
]);

/** Files of unknown type are downloaded, all others shown. */
export function isShownInline(type: string): boolean {
  return type !== unknownType;
}

/** The type of the file that begins with `head`; `name` decides only whether it is plain text. */
export async function typeOf(head: Buffer, name: string): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type"); // not needed until the first upload
  const detected = await fileTypeFromBuffer(head);
  const type = detected && shown.get(detected.mime);
  return type ?? (isPlainText(head, name) ? "text/plain; charset=utf-8" : unknownType);
}

// Ours, because file-type detects only binary formats.
function isPlainText(head: Buffer, name: string): boolean {
  if (!/\.(?:txt|log|md|csv|tsv|json|ya?ml|toml|ini|conf|diff|patch)$/i.test(name)) return false;
  return !head.includes(0);
}
