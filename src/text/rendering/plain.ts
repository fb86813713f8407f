// Most messages are plain sentences. They skip the parser, which would return the same.

const always = 1;
const endsSentence = 2;
const kinds = new Uint8Array(128);
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,;!?'\"()%=/_+-^") {
  kinds[char.charCodeAt(0)] = always;
}
// Plain text unless a word follows at once, as in `example.com` and `:smile:`.
for (const char of ".:") kinds[char.charCodeAt(0)] = endsSentence;
const afterSentence = new Uint8Array(128);
for (const char of " \n.:,;!?)\"'") afterSentence[char.charCodeAt(0)] = 1;

/** The HTML of a text that cannot contain markup; null if only the parser can tell. */
export function renderPlain(content: string): string | null {
  let previous = 10;
  for (let index = 0; index < content.length; index++) {
    const code = content.charCodeAt(index);
    if (!isPlain(code, previous, content.charCodeAt(index + 1))) return null;
    previous = code;
  }
  if (previous === 10 || previous === 32) return null;
  return `<p>${content.replaceAll('"', "&quot;").replaceAll("\n", "<br>\n")}</p>`;
}

function isPlain(code: number, previous: number, next: number): boolean {
  if (previous === 10 && !isLetter(code)) return false;
  if (code === 10) return previous !== 32;
  if (code >= 128) return isLetter(code);
  const kind = kinds[code];
  return kind === always || (kind === endsSentence && (Number.isNaN(next) || afterSentence[next] === 1));
}

/** Excludes digits, which may begin lists. Outside ASCII, includes only scripts without emoji or blanks. */
function isLetter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return (
    (code >= 0xc0 && code < 0x1680) || (code >= 0x3041 && code < 0x3200) || (code >= 0x3400 && code < 0xd800)
  );
}
