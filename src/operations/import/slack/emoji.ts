// Custom emoji. An export has only their names, so administrators may add emoji.json (the answer of Slack's `emoji.list`) or a
// folder emoji/ with pictures to the archive.
import { parse } from "node:path";
import type { UnpackedFiles } from "@/operations/import/intake/contents.ts";
import { emojiName } from "@/operations/import/intake/names.ts";
import type { ExportReading } from "@/operations/import/intake/reading.ts";
import { emojiFile } from "./schema.ts";

/** Our name for an emoji of Slack's. */
export type EmojiNames = (name: string) => string;

export async function takeEmoji(
  contents: UnpackedFiles,
  { intake, fetcher }: Pick<ExportReading, "intake" | "fetcher">,
): Promise<EmojiNames> {
  const listed = contents.json("emoji.json", emojiFile) ?? {};
  const pictures = picturesIn(contents);
  const aliases = new Map<string, string>();
  for (const name of new Set([...Object.keys(listed), ...pictures.keys()])) {
    const address = listed[name] ?? "";
    if (address.startsWith("alias:")) {
      aliases.set(name, address.slice("alias:".length));
      continue;
    }
    const packed = pictures.get(name);
    const path = packed
      ? contents.file(packed)
      : fetcher && address !== ""
        ? await fetcher.fetch(address)
        : null;
    const ours = emojiName(name);
    if (path === null || ours === null) intake.spool.lose("custom emoji without a usable name or picture");
    else await intake.addEmoji({ name: ours, path, author: null });
  }
  const custom = new Set([...Object.keys(listed), ...pictures.keys()]);
  return (given) => {
    const name = aliases.get(given) ?? given;
    return custom.has(name) ? (emojiName(name) ?? name) : name;
  };
}

function picturesIn(contents: UnpackedFiles): Map<string, string> {
  return new Map(contents.namesIn("emoji").map((name) => [parse(name).name, `emoji/${name}`]));
}
