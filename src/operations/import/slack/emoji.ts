// Custom emoji. An export has only their names, so administrators may add emoji.json (the answer of Slack's `emoji.list`) or a
// folder emoji/ with pictures to the archive.
import { existsSync, readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { readJson } from "@/operations/import/intake/checking.ts";
import { emojiName } from "@/operations/import/intake/names.ts";
import type { Reading } from "@/operations/import/intake/reading.ts";
import { emojiFile } from "./schema.ts";

/** Our name for an emoji of Slack's. */
export type EmojiNames = (name: string) => string;

export async function takeEmoji(
  folder: string,
  { intake, fetcher }: Pick<Reading, "intake" | "fetcher">,
): Promise<EmojiNames> {
  const listed = readJson(join(folder, "emoji.json"), emojiFile) ?? {};
  const pictures = picturesIn(join(folder, "emoji"));
  const aliases = new Map<string, string>();
  for (const name of new Set([...Object.keys(listed), ...pictures.keys()])) {
    const address = listed[name] ?? "";
    if (address.startsWith("alias:")) {
      aliases.set(name, address.slice("alias:".length));
      continue;
    }
    const path = pictures.get(name) ?? (fetcher && address !== "" ? await fetcher.fetch(address) : null);
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

function picturesIn(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ name }) => [parse(name).name, join(folder, name)]));
}
