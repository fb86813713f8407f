// The names of emoji: those of Unicode, which the server lists in a file, and the organization's own.
import type { ReactionType } from "@/foundation/emoji/schema.ts";
import type { Client } from "../../api/client.ts";
import type { State } from "../../state/state.ts";
import { loadLocalNames } from "./local-names.ts";

export interface EmojiEntry {
  /** Unique among all kinds. */
  key: string;
  /** The preferred name first. */
  names: readonly string[];
  code: string;
  type: ReactionType;
  /** What the page's language calls it, and then other words that find it; empty in English and for pictures. */
  local: readonly string[];
  /** The characters; empty for pictures. */
  character: string;
  /** The address of its picture. */
  image?: string;
  /** Rank by how common it is; smaller is more common. */
  rank: number;
}

let loading: Promise<readonly EmojiEntry[]> | undefined;
let unicode: readonly EmojiEntry[] = [];

/** Fetches the names of Unicode's emoji; later calls return the same. */
export function loadUnicodeEmoji({ store, boot }: Client): Promise<readonly EmojiEntry[]> {
  const { server_emoji_data_url } = store.get().organization;
  loading ??= fetchEmoji(String(server_emoji_data_url ?? ""), boot.emoji_data).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchEmoji(address: string, folder: string): Promise<readonly EmojiEntry[]> {
  // The organization may be known by several addresses; the file is on the one that is open.
  const [response, local] = await Promise.all([
    fetch(new URL(address, location.href).pathname),
    loadLocalNames(folder),
  ]);
  if (!response.ok) throw new Error("The names of emoji could not be loaded.");
  const { code_to_names }: { code_to_names: Record<string, string[]> } = await response.json();
  unicode = Object.entries(code_to_names).map(([code, names]) => ({
    key: code,
    names,
    local: local[code] ?? [],
    code,
    type: "unicode_emoji" as const,
    character: emojiCharacter(code),
    rank: popular.indexOf(code) < 0 ? popular.length : popular.indexOf(code),
  }));
  return unicode;
}

/** The emoji that reactions and completion offer first. */
export const popular = [
  "1f44d",
  "2764",
  "1f602",
  "1f389",
  "1f440",
  "1f64f",
  "1f680",
  "2705",
  "1f642",
  "1f622",
  "1f914",
];

/** The server's own emoji under both its names, which a custom emoji of the same name overrides. */
export const extra: EmojiEntry = {
  key: "server confab",
  names: ["confab", "zulip"],
  local: [],
  code: "confab",
  type: "service_extra_emoji",
  character: "",
  image: "/static/generated/emoji/images/emoji/unicode/confab.png",
  rank: popular.length,
};

/** All emoji that are loaded: the organization's own, the server's, and Unicode's. */
export function listEmoji(state: State): EmojiEntry[] {
  const own = Object.values(state.realm_emoji)
    .filter(({ deactivated }) => !deactivated)
    .map(
      ({ id, name, source_url, still_url }): EmojiEntry => ({
        key: `own ${id}`,
        names: [name],
        local: [],
        code: id,
        type: "realm_emoji",
        character: "",
        image: stillIfCalm(source_url, still_url),
        rank: -1,
      }),
    );
  const taken = new Set(own.flatMap(({ names }) => names));
  const names = extra.names.filter((name) => !taken.has(name));
  return [...own, ...(names.length > 0 ? [{ ...extra, names }] : []), ...unicode];
}

/** The address of the picture of an emoji that is not one of Unicode's; undefined if it is unknown. */
export function pictureOf(
  own: State["realm_emoji"],
  { reaction_type, emoji_code = "" }: { reaction_type?: string; emoji_code?: string },
): string | undefined {
  return reaction_type === extra.type ? extra.image : own[emoji_code]?.source_url;
}

function stillIfCalm(animated: string, still: string | null): string {
  return still !== null && matchMedia("(prefers-reduced-motion: reduce)").matches ? still : animated;
}

/** The characters of a code such as "1f44d" or "1f1e9-1f1ea". */
export function emojiCharacter(code: string): string {
  const points = code.split("-").map((hex) => Number.parseInt(hex, 16));
  const text = String.fromCodePoint(...points);
  // Characters that are text by default need a variation selector to be drawn as emoji.
  const isText =
    points.length === 1 &&
    /^\p{Extended_Pictographic}$/u.test(text) &&
    !/^\p{Emoji_Presentation}$/u.test(text);
  return isText ? `${text}\uFE0F` : text;
}

/** The code of characters, as the server writes it: without variation selectors. */
export function emojiCode(characters: string): string {
  return [...characters]
    .map((character) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0"))
    .filter((code) => code !== "fe0f")
    .join("-");
}
