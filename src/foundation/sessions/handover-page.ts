// What a page that goes to another node gets: an answer that it may read, though it is from another host; then a page that puts what
// was being written where the client looks for it.

import { dataElement, framePage, pageAnswer, refusalAnswer, speak } from "@/foundation/pages/frame.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { RawAnswer, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html, sourceOf } from "@/kernel/http/html.ts";
import { RefusedLogin } from "@/kernel/lib/errors.ts";
import type { Translator } from "@/text/language/translator.ts";
import { arrive, tradeSecret } from "./actions-handovers.ts";
import { isNode } from "./host.ts";

interface Arriving {
  token: string;
  fragment: string;
  kept: Readonly<Record<string, string>>;
}

/** Answers so that the page can tell a refusal, which is final, from a node that cannot answer just now. */
export async function answerTrade(ctx: Ctx, trade: Parameters<typeof tradeSecret>[1]): Promise<RawAnswer> {
  const origin = trade.request.header("origin");
  const readable = isNode(ctx, origin) && { "access-control-allow-origin": origin ?? "" };
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    vary: "origin",
    ...readable,
  };
  try {
    await tradeSecret(ctx, trade);
  } catch (error) {
    if (!(error instanceof RefusedLogin)) throw error;
    return new RawAnswer(JSON.stringify(error.toWire()), headers, error.status, error);
  }
  return new RawAnswer(JSON.stringify({ result: "success", msg: "" }), headers);
}

/** Signs the browser in, and leads it to where it was; otherwise says why not. */
export async function arriveHere(
  ctx: Ctx,
  { token, fragment, kept }: Arriving,
  request: RequestFacts,
): Promise<RawAnswer> {
  const { translator } = speak(ctx, request);
  try {
    await arrive(ctx, { token, request });
  } catch (error) {
    return refusalAnswer(error, translator, (message) => refusedPage(translator, { message, fragment }));
  }
  const policy = `default-src 'none'; script-src ${sourceOf(script)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return pageAnswer(onwardPage(translator, { fragment, kept }), {
    headers: { "content-security-policy": policy },
  });
}

const script = `const { fragment, kept } = JSON.parse(document.getElementById("arriving").textContent);
try {
  for (const [name, value] of Object.entries(kept)) sessionStorage.setItem(name, value);
} finally {
  location.replace("/" + fragment);
}`;

function onwardPage({ language, t }: Translator, arriving: Omit<Arriving, "token">): Html {
  return html`<!doctype html>
<html lang="${language.tag}" dir="${language.dir}">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${t("Open the chat")}</title>
${dataElement("arriving", arriving)}
<script>${{ text: script }}</script>
</html>
`;
}

function refusedPage(
  translator: Translator,
  { message, fragment }: { message: string; fragment: string },
): Html {
  const { t } = translator;
  return framePage({ translator, title: t("Sign in") }, [
    html`<h1>${t("Sign in")}</h1>
<p class="lead">${message}</p>
<p><a href="/login${fragment}">${t("Sign in")}</a></p>`,
  ]);
}
