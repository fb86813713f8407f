// Looking for everybody's words in a text at once. A word is a path of pieces, so that the cost at each place of the
// text is that of the longest path that fits there, however many words there are.

interface Place {
  /** What may follow: a piece, with a blank before it where there is one. */
  next: Map<string, Place>;
  /** Who looks for the word that ends here. */
  users: number[];
}

/** The beginnings of all words. */
export type WordIndex = Place;

/** Scripts that put no blanks between words: any place in them may be where a word begins or ends. */
const scripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const unspaced = scripts.map((script) => `\\p{Script=${script}}`).join("");
const inWords = `[[\\p{L}\\p{N}\\p{M}_]--[${unspaced}]]`;

/** A run of letters and digits, a character of an unspaced script, or any other that is no blank. */
const pieces = new RegExp(`${inWords}+|\\S`, "gv");
const isRun = new RegExp(`^${inWords}`, "v");
const isUnspaced = new RegExp(`^[${unspaced}]`, "v");
const isSign = (piece: string) => !isRun.test(piece) && !isUnspaced.test(piece);

interface Piece {
  text: string;
  /** The same, with a blank before it where there is one. */
  step: string;
}

function piecesOf(given: string): Piece[] {
  let end = 0;
  return Array.from(given.toLowerCase().matchAll(pieces), ({ 0: text, index }) => {
    const isApart = index > end;
    end = index + text.length;
    return { text, step: isApart ? ` ${text}` : text };
  });
}

export function wordIndex(rows: Iterable<{ word: string; user_id: number }>): WordIndex {
  const root: Place = { next: new Map(), users: [] };
  for (const { word, user_id } of rows) {
    let place = root;
    for (const [i, { text, step }] of piecesOf(word).entries()) {
      const key = i === 0 ? text : step;
      const next = place.next.get(key) ?? { next: new Map(), users: [] };
      place.next.set(key, next);
      place = next;
    }
    place.users.push(user_id);
  }
  return root;
}

/** Users who look for a word that stands in the text as a whole. */
export function usersLookingFor(index: WordIndex, text: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (index.next.size === 0) return found;
  const all = piecesOf(text);
  for (const [start, { text: first }] of all.entries()) {
    let place = index.next.get(first);
    if (!place || isSignAfterRun(all, start)) continue;
    for (let at = start; place; at++, place = place.next.get(all[at]?.step ?? "")) {
      if (place.users.length > 0 && !isSignBeforeRun(all, at))
        for (const user of place.users) found.add(user);
    }
  }
  return found;
}

/** A sign that follows letters at once does not begin a word, as the dot of `.net` in `asp.net`. */
function isSignAfterRun(all: readonly Piece[], at: number): boolean {
  const [before, piece] = [all[at - 1], all[at]];
  return !!before && !!piece && isSign(piece.text) && piece.step === piece.text && isRun.test(before.text);
}

/** A sign that letters follow at once does not end one, as the plus of `c++` in `c++11`. */
function isSignBeforeRun(all: readonly Piece[], at: number): boolean {
  const [piece, after] = [all[at], all[at + 1]];
  return !!after && !!piece && isSign(piece.text) && after.step === after.text && isRun.test(after.text);
}
