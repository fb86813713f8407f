// Limits of JSON from requests, found before it is parsed: parsing cannot pause, and takes longest for many names or much nesting.

/** So much takes at most some milliseconds to parse, whatever it contains. */
const shortLength = 32_768;
const most = { depth: 64, names: 20_000, values: 150_000 } as const;

type TooMuch =
  | `is nested more than ${typeof most.depth} times`
  | `has more than ${typeof most.names} named values`
  | `has more than ${typeof most.values} values`;

const [quote, backslash, comma, colon] = ['"', "\\", ",", ":"].map((char) => char.charCodeAt(0));
const [openList, closeList, openObject, closeObject] = [..."[]{}"].map((char) => char.charCodeAt(0));

/** Why a JSON text would take too long to parse, as the rest of a sentence about it; null if it would not. */
export function tooMuchJson(text: string): TooMuch | null {
  if (text.length <= shortLength) return null;
  let [depth, names, values] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openList || code === openObject) {
      values++;
      if (++depth > most.depth) return `is nested more than ${most.depth} times`;
    } else if (code === closeList || code === closeObject) depth--;
    else if (code === colon && ++names > most.names) return `has more than ${most.names} named values`;
    else if (code === comma && ++values > most.values) return `has more than ${most.values} values`;
  }
  return null;
}

/** The position of the quote that ends the string. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
