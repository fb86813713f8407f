// The language in which errors are said: that of the person in a browser. Programs get English.

import { speak } from "@/foundation/pages/frame.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import type { Asked } from "@/kernel/http/request-runner.ts";
import type { Sentence } from "@/kernel/lib/errors.ts";
import { inEnglish, translatorFor } from "@/text/language/tables.ts";
import type { Translator } from "@/text/language/translator.ts";
import { languageOf } from "./access.ts";

/** What an error says to who asked. */
export function wordError(ctx: Ctx, sentence: Sentence, asked: Asked): string {
  try {
    return translatorOf(ctx, asked).say(sentence);
  } catch {
    // The error is not to be lost because, say, the database cannot be read.
    return sentence.inEnglish;
  }
}

function translatorOf(ctx: Ctx, { request, door, actor }: Asked): Translator {
  if (door === "key" || request.header("authorization") !== undefined) return inEnglish;
  if (actor?.kind !== "user") return browserTranslator(ctx, request);
  // Also a key can be in the address.
  if (actor.by?.kind !== "session") return inEnglish;
  const own = languageOf(ctx, actor.id);
  return own ? translatorFor(own) : browserTranslator(ctx, request);
}

/** As the pages before the chat speak; in English to programs, which name no language. */
function browserTranslator(ctx: Ctx, request: RequestFacts): Translator {
  return request.header("accept-language") === undefined ? inEnglish : speak(ctx, request).translator;
}
