// Reduces English words to their stems by Porter's second algorithm: "running" and "runs" become "run".

const vowel = "[aeiouy]";
const consonant = "[^aeiouy]";
const whole: Record<string, string> = {
  skis: "ski",
  skies: "sky",
  dying: "die",
  lying: "lie",
  tying: "tie",
  idly: "idl",
  gently: "gentl",
  ugly: "ugli",
  early: "earli",
  only: "onli",
  singly: "singl",
};
const unchanging = new Set("sky news howe atlas cosmos bias andes".split(" "));
const unchangingPlurals = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));
const longStarts = /^(gener|commun|arsen)/;
const afterSyllable = new RegExp(`${vowel}${consonant}`);
const hasVowel = new RegExp(vowel);
const endsShort = new RegExp(`(^|${consonant})${vowel}[^aeiouywxY]$|^${vowel}${consonant}$`);

interface Rule {
  ending: string;
  becomes: string;
  /** What must precede the ending. */
  after?: RegExp;
}

function rules(table: string): Rule[] {
  const listed = table.split(" ").map((rule): Rule => {
    const [ending = "", becomes = "", after] = rule.split(":");
    return { ending, becomes, ...(after ? { after: new RegExp(`[${after}]$`) } : {}) };
  });
  return listed.sort((a, b) => b.ending.length - a.ending.length);
}

const derivations = rules(
  "tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize ational:ate ation:ate ator:ate " +
    "alism:al aliti:al alli:al fulness:ful ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble bli:ble " +
    "ogi:og:l fulli:ful lessli:less li::cdeghkmnrt",
);
const qualities = rules("tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness:");
const endings = rules(
  "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ism: ate: iti: ous: ive: ize: ion::st",
);

const remembered = new Map<string, string>();
const mostRemembered = 20_000;

/** The stem of a lower-case word; anything but an English word is returned unchanged. */
export function stem(word: string): string {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const found = stemOf(word);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(word, found);
  return found;
}

function stemOf(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word) || unchanging.has(word)) return word;
  const exception = whole[word];
  if (exception !== undefined) return exception;

  // Writes a y that is a consonant as Y until the end.
  const marked = word.replace(/^y/, "Y").replaceAll(/([aeiouy])y/g, "$1Y");
  const start = regionAfter(marked, 0);
  const region = { first: longStarts.exec(marked)?.[0].length ?? start, second: 0 };
  region.second = regionAfter(marked, region.first);
  const singular = withoutPlural(marked);
  if (unchangingPlurals.has(singular)) return singular;
  const base = withoutTense(singular, region.first).replace(/(?<=.[^aeiouy])[yY]$/, "i");
  const derived = apply(qualities, apply(derivations, base, region.first), region.first);
  const bare =
    derived.endsWith("ative") && derived.length - 5 >= region.second ? derived.slice(0, -5) : derived;
  return withoutFinal(apply(endings, bare, region.second), region).toLowerCase();
}

/** Where the first consonant after a vowel ends, searching from `from`. */
function regionAfter(word: string, from: number): number {
  const at = afterSyllable.exec(word.slice(from));
  return at ? from + at.index + 2 : word.length;
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (/[us]s$/.test(word) || !word.endsWith("s")) return word;
  return hasVowel.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutTense(word: string, first: number): string {
  const eed = /eed(ly)?$/.exec(word);
  if (eed) return eed.index >= first ? `${word.slice(0, eed.index)}ee` : word;
  const before = word.replace(/(ed|ing)(ly)?$/, "");
  if (before === word || !hasVowel.test(before)) return word;
  if (/(at|bl|iz)$/.test(before)) return `${before}e`;
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(before)) return before.slice(0, -1);
  return endsShort.test(before) && first >= before.length ? `${before}e` : before;
}

/** Only the rule of the longest matching ending counts, even if its condition fails. */
function apply(table: readonly Rule[], word: string, from: number): string {
  const rule = table.find(({ ending }) => word.endsWith(ending));
  if (!rule) return word;
  const before = word.slice(0, -rule.ending.length);
  return before.length >= from && (rule.after?.test(before) ?? true) ? before + rule.becomes : word;
}

function withoutFinal(word: string, { first, second }: { first: number; second: number }): string {
  const before = word.slice(0, -1);
  if (word.endsWith("e")) {
    return before.length >= second || (before.length >= first && !endsShort.test(before)) ? before : word;
  }
  return word.endsWith("ll") && before.length >= second ? before : word;
}
