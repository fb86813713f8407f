// What the page's language calls Unicode's emoji. A script of the language is fetched when a view first shows or offers any;
// English needs none, because the server's names are English.
import { useEffect } from "react";
import { english } from "@/text/language/languages.ts";
import { useClient } from "../../api/client.ts";
import { createStore, useStore } from "../../lib/observable.ts";
import { language } from "../../lib/texts.ts";

/** By code: what people call the emoji, and then other words that find it. */
export type LocalNames = Readonly<Record<string, readonly [name: string, ...words: string[]]>>;

const names = createStore<LocalNames>({});
let loading: Promise<LocalNames> | undefined;

/** Fetches the names; later calls return the same. `folder` is `emoji_data` of the page. */
export function loadLocalNames(folder: string): Promise<LocalNames> {
  loading ??= fetchNames(folder).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchNames(folder: string): Promise<LocalNames> {
  if (language.tag === english.tag) return {};
  const response = await fetch(`${folder}/${language.tag}/names.json`);
  if (!response.ok) throw new Error("The names of emoji could not be loaded.");
  const loaded: LocalNames = await response.json();
  names.set(loaded);
  return loaded;
}

interface Named {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

/** Says what an emoji is called: ":rocket:" in English, of pictures, and while the names are fetched. */
export function useEmojiName(): (emoji: Named) => string {
  const { boot } = useClient();
  const known = useStore(names);
  useEffect(() => {
    loadLocalNames(boot.emoji_data).catch(() => {});
  }, [boot]);
  return ({ emoji_name, emoji_code, reaction_type }) =>
    (reaction_type === "unicode_emoji" && known[emoji_code]?.[0]) || `:${emoji_name}:`;
}

/** Puts the names on emoji that the server rendered. */
export async function nameEmoji(spans: Iterable<HTMLElement>, folder: string): Promise<void> {
  const known = await loadLocalNames(folder);
  for (const span of spans) {
    const name = known[/\bemoji-([0-9a-f-]+)/.exec(span.className)?.[1] ?? ""]?.[0];
    if (name === undefined) continue;
    span.ariaLabel = name;
    span.title = name;
    span.dataset.tip = name;
  }
}
