// Finds all users' alert words in a text at once, with a trie of word pieces: the cost at each position of the text is the
// length of the longest match there, however many words there are.

interface TrieNode {
  /** Children by their `step`. */
  next: Map<string, TrieNode>;
  /** Users of the word that ends here. */
  users: number[];
}

/** The root of the trie. */
export type WordIndex = TrieNode;

/** Scripts without spaces between words: a word may begin or end at any character. */
const scripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const unspaced = scripts.map((script) => `\\p{Script=${script}}`).join("");
const inWords = `[[\\p{L}\\p{N}\\p{M}_]--[${unspaced}]]`;

/** A run of letters and digits, a character of an unspaced script, or any other single non-space character. */
const pieces = new RegExp(`${inWords}+|\\S`, "gv");
const isRun = new RegExp(`^${inWords}`, "v");
const isUnspaced = new RegExp(`^[${unspaced}]`, "v");
const isSign = (piece: string) => !isRun.test(piece) && !isUnspaced.test(piece);

interface Piece {
  text: string;
  /** The text, preceded by a space if there is one before it. */
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
  const root: TrieNode = { next: new Map(), users: [] };
  for (const { word, user_id } of rows) {
    let node = root;
    for (const [i, { text, step }] of piecesOf(word).entries()) {
      const key = i === 0 ? text : step;
      const next = node.next.get(key) ?? { next: new Map(), users: [] };
      node.next.set(key, next);
      node = next;
    }
    node.users.push(user_id);
  }
  return root;
}

/** Users with an alert word that occurs in the text as a whole word. */
export function usersLookingFor(index: WordIndex, text: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (index.next.size === 0) return found;
  const all = piecesOf(text);
  for (const [start, { text: first }] of all.entries()) {
    let node = index.next.get(first);
    if (!node || isSignAfterRun(all, start)) continue;
    for (let at = start; node; at++, node = node.next.get(all[at]?.step ?? "")) {
      if (node.users.length > 0 && !isSignBeforeRun(all, at)) for (const user of node.users) found.add(user);
    }
  }
  return found;
}

/** A symbol directly after letters does not begin a word: `.net` is not in `asp.net`. */
function isSignAfterRun(all: readonly Piece[], at: number): boolean {
  const [before, piece] = [all[at - 1], all[at]];
  return !!before && !!piece && isSign(piece.text) && piece.step === piece.text && isRun.test(before.text);
}

/** A symbol directly before letters does not end a word: `c++` is not in `c++11`. */
function isSignBeforeRun(all: readonly Piece[], at: number): boolean {
  const [piece, after] = [all[at], all[at + 1]];
  return !!after && !!piece && isSign(piece.text) && after.step === after.text && isRun.test(after.text);
}
