// The emoji of the picker: those that the server knows by name, in the groups of Unicode, and pictures: the organization's own and the server's.
import type { EmojiDataResolver } from "frimousse";
import { fit, fold } from "../../lib/matching.ts";
import { t } from "../../lib/texts.ts";
import { type EmojiEntry, emojiCode, popular } from "./names.ts";

type Data = Awaited<ReturnType<EmojiDataResolver>>;
export type Row = Data["emojis"][number];

interface Listed {
  hexcode: string;
  emoji: string;
  label: string;
  group?: number;
  order?: number;
  tags?: string[];
  version: number;
}

/** Components of other emoji, which cannot be picked by themselves. */
const components = 2;

/** What Unicode's groups are called, in their order. */
const groupNames: Readonly<Record<number, string>> = {
  0: t("Smileys & emotion"),
  1: t("People & body"),
  3: t("Animals & nature"),
  4: t("Food & drink"),
  5: t("Travel & places"),
  6: t("Activities"),
  7: t("Objects"),
  8: t("Symbols"),
  9: t("Flags"),
};

/** The picker's data from the server, put together with the names that messages use. */
export async function pickerData(address: string, known: readonly EmojiEntry[]): Promise<Data> {
  const [listed, { groups }] = await Promise.all([
    fetchJson<Listed[]>(`${address}/en/data.json`),
    fetchJson<{ groups: { message: string; order: number }[] }>(`${address}/en/messages.json`),
  ]);
  const byCode = new Map(known.map((entry) => [entry.code, entry]));
  const own = known.filter(({ image }) => image !== undefined).map(pictureRow);
  const inOrder = listed
    .filter(({ group, order }) => group !== undefined && group !== components && order !== undefined)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  const rows = inOrder.flatMap((one) => {
    const entry = byCode.get(emojiCode(one.emoji));
    return entry ? [rowOf(one, entry)] : [];
  });
  const often = popular.flatMap((code) => rows.find(({ emoji }) => emojiCode(emoji) === code) ?? []);
  return {
    locale: "en",
    emojis: [...often.map((row) => ({ ...row, category: 0 })), ...own, ...rows],
    categories: [
      { index: 0, label: t("Often used") },
      ...(own.length > 0 ? [{ index: 1, label: t("Custom") }] : []),
      ...groups
        .filter(({ order }) => order !== components)
        .map(({ message, order }) => ({
          index: order + 2,
          label: groupNames[order] ?? message,
        })),
    ],
    skinTones: { dark: "", light: "", "medium-dark": "", "medium-light": "", medium: "" },
  };
}

/** English words find it in every language; without their accents, words of the language do, too. */
function rowOf({ label, emoji, group = 0, tags = [], version }: Listed, { names, local }: EmojiEntry): Row {
  const spoken = names.flatMap((name) => [name, name.replaceAll("_", " ")]);
  const [own = label, ...words] = local;
  const found = [...tags, ...spoken, label, ...[own, ...words].flatMap((word) => [word, fold(word)])];
  return { emoji, label: own, category: group + 2, version, tags: [...new Set(found)] };
}

const maxFound = 90;
/** Less than any name that fits. */
const tagWeight = 0.1;

/** What fits a typed text, best first: by its names, then by other words; of equals, the more common first. */
export function findRows(rows: readonly Row[], known: readonly EmojiEntry[], typed: string): Row[] {
  const byKey = new Map(known.map((entry) => [entry.image ? `:${entry.names[0]}:` : entry.code, entry]));
  const seen = new Set<string>();
  const found: { row: Row; fits: number; rank: number }[] = [];
  for (const row of rows) {
    if (seen.has(row.emoji)) continue;
    seen.add(row.emoji);
    const entry = byKey.get(row.emoji.startsWith(":") ? row.emoji : emojiCode(row.emoji));
    const names = entry ? [...entry.names, ...entry.local.slice(0, 1)] : [];
    const fits = bestFit([row.label, ...names], typed) || tagWeight * bestFit(row.tags, typed);
    if (fits > 0) found.push({ row, fits, rank: entry?.rank ?? 0 });
  }
  found.sort((a, b) => b.fits - a.fits || a.rank - b.rank);
  return found.slice(0, maxFound).map(({ row }) => row);
}

const bestFit = (names: readonly string[], typed: string) =>
  Math.max(0, ...names.map((name) => fit(name, typed)));

/** A picture is written as its name between colons. */
function pictureRow({ names }: EmojiEntry): Row {
  const name = names[0] ?? "";
  return { emoji: `:${name}:`, label: name.replaceAll("_", " "), category: 1, version: 0, tags: [...names] };
}

async function fetchJson<T>(address: string): Promise<T> {
  const response = await fetch(address);
  if (!response.ok) throw new Error("The emoji could not be loaded.");
  return response.json();
}

/** Finds the picked emoji by its characters, or by the name of its picture. */
export function entryFor(picked: string, known: readonly EmojiEntry[]): EmojiEntry | undefined {
  if (picked.startsWith(":")) return known.find(({ image, names }) => image && `:${names[0]}:` === picked);
  const code = emojiCode(picked);
  return known.find((entry) => entry.image === undefined && entry.code === code);
}
