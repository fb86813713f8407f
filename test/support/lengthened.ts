// A language for tests and developers: English with accents, 40 % longer, between brackets, so that one sees what is cut,
// what is put together of pieces, and what is not said by a translator at all.
import type { CompiledMessage } from "@lingui/message-utils/compileMessage";
import { compileTable } from "@/text/language/tables.ts";
import areas from "@/text/language/texts.json";
import type { Table } from "@/text/language/translator.ts";

const longer = 0.4;
const accented: Readonly<Record<string, string>> = Object.fromEntries(
  ["aá", "cç", "eé", "ií", "nñ", "oó", "uú", "yý", "AÁ", "CÇ", "EÉ", "IÍ", "NÑ", "OÓ", "UÚ", "YÝ"].map(
    ([plain = "", accent = ""]) => [plain, accent],
  ),
);

/** Every text by its English, as the translator of a language has them. */
export function lengthenedTexts(): Table {
  const texts = Object.values(areas).flatMap((area) => Object.keys(area));
  // What follows the bar tells the senses of a text apart, and is never shown.
  const table = compileTable(
    Object.fromEntries(texts.map((text) => [text, text.replace(/\|[^|{}<>]+$/, "")])),
  );
  return Object.fromEntries(
    Object.entries(table).map(([text, message]) => [text, ["[", ...lengthen(message), "]"]]),
  );
}

/** The script that a page runs before the client, so that it speaks so instead of English. */
export const lengthenedScript = () => `globalThis.confabTexts = ${JSON.stringify(lengthenedTexts())};`;

function lengthen(message: CompiledMessage): CompiledMessage {
  return message.map((token) => {
    if (typeof token === "string") return lengthenWords(token);
    const [name, type, format] = token;
    if (!isChoices(type, format)) return token;
    const forms = Object.entries(format).map(([form, said]) => [
      form,
      Array.isArray(said) ? lengthen(said) : said,
    ]);
    return [name, type, Object.fromEntries(forms)];
  });
}

function isChoices(
  type: string | undefined,
  format: unknown,
): format is Readonly<Record<string, CompiledMessage | number>> {
  return ["plural", "selectordinal", "select"].includes(type ?? "") && typeof format === "object";
}

/** Repeats letters within the words, as languages with longer words do; marks stay as they are. */
function lengthenWords(text: string): string {
  let due = 0.5;
  const pieces = text.split(/(<\/?\w+>)/).map((piece, i) => {
    if (i % 2 === 1) return piece;
    return [...piece].map((letter) => {
      due += longer;
      const said = accented[letter] ?? letter;
      if (due < 1 || !/\p{L}/u.test(letter)) return said;
      due -= 1;
      return said + said.toLowerCase();
    });
  });
  return pieces.flat().join("");
}
