// How well a name matches typed text: whole names first, then starts, then starts of words, then anywhere.

/** Higher is better; 0 if it does not match. */
export function fit(name: string, typed: string): number {
  const [text, wanted] = [fold(name), fold(typed)];
  if (wanted === "") return 1;
  if (text === wanted) return 100;
  if (text.startsWith(wanted)) return 80;
  const words = text.split(/[\s\-_/.,›#]+/);
  const parts = wanted.split(/\s+/).filter(Boolean);
  if (parts.every((part) => words.some((word) => word.startsWith(part)))) return 60;
  if (text.includes(wanted)) return 40;
  return parts.length > 1 && parts.every((part) => text.includes(part)) ? 20 : 0;
}

/** Lower case, without accents. */
export function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[ァ-ヶ]/g, asHiragana)
    .toLowerCase();
}

/** "ね" for "ネ", which stands 96 places further: people type either for the other. */
const asHiragana = (kana: string) => String.fromCharCode(kana.charCodeAt(0) - 96);

/** The best matches of a list, best first; equal ones keep their order. */
export function best<T>(list: Iterable<T>, nameOf: (one: T) => string, typed: string, count: number): T[] {
  const found: { one: T; score: number }[] = [];
  for (const one of list) {
    const score = fit(nameOf(one), typed);
    if (score > 0) found.push({ one, score });
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ one }) => one);
}
