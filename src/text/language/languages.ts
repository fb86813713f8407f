// The languages that people can choose.
export interface Language {
  /** As in `lang` of a page, and in the setting `default_language`. */
  readonly tag: string;
  /** What its speakers call it. */
  readonly name: string;
  readonly dir: "ltr" | "rtl";
}

export const english: Language = { tag: "en", name: "English", dir: "ltr" };

export const languages: readonly Language[] = [
  english,
  { tag: "ar", name: "العربية", dir: "rtl" },
  { tag: "de", name: "Deutsch", dir: "ltr" },
  { tag: "es", name: "Español", dir: "ltr" },
  { tag: "fr", name: "Français", dir: "ltr" },
  { tag: "ja", name: "日本語", dir: "ltr" },
];

/** The language of a tag such as `de-AT`; null if there is none. */
export function findLanguage(tag: string): Language | null {
  const [wanted] = tag.toLowerCase().split(/[-_]/);
  return languages.find((one) => one.tag === wanted) ?? null;
}
