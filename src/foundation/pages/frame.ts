// HTML pages outside the web client, such as those for joining and for unsubscribing. They need no script and load
// nothing else.
import { organizationLanguage } from "@/foundation/realm/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { RawAnswer, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html, sourceOf } from "@/kernel/http/html.ts";
import { AppError, RefusedLogin } from "@/kernel/lib/errors.ts";
import { acceptedLanguage, translatorFor } from "@/text/language/tables.ts";
import type { Part, Translator } from "@/text/language/translator.ts";

interface Frame {
  /** In whose language the page is. */
  translator: Translator;
  title: string;
  icon?: string;
  isWide?: boolean;
}

/** A whole page. */
export function framePage(
  { translator: { language }, title, icon, isWide = false }: Frame,
  content: readonly Html[],
): Html {
  return html`<!doctype html>
<html lang="${language.tag}" dir="${language.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${icon !== undefined && html`<link rel="icon" href="${icon}">`}
<style>${{ text: style }}</style>
</head>
<body>
<main${isWide && html` class="wide"`}>
${content}
</main>
</body>
</html>
`;
}

/** An element by which a page gives data to its script, escaped so that it cannot end the element. */
export function dataElement(id: string, data: unknown): Html {
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  return html`<script type="application/json" id="${id}">${{ text }}</script>`;
}

/** What a page is written with. */
export interface Speaking {
  readonly ctx: Ctx;
  readonly translator: Translator;
}

/** Speaks the language that the browser likes best of those that there are or, if it likes none, the organization's. */
export function speak(ctx: Ctx, { header }: RequestFacts): Speaking {
  const language = acceptedLanguage(header("accept-language")) ?? organizationLanguage(ctx);
  return { ctx, translator: translatorFor(language) };
}

/** Markup of a text whose marks stand for elements. */
export function markUp(
  parts: readonly Part[],
  elements: Readonly<Record<string, (content: Html) => Html>>,
): Html {
  const marked = parts.map((part) => {
    if (typeof part === "string") return html`${part}`;
    const content = markUp(part.parts, elements);
    return elements[part.mark]?.(content) ?? content;
  });
  return html`${marked}`;
}

/** The organization's icon, as the web client shows it; `icon` is its URL. */
export function sign({ icon }: { icon: string }): Html {
  return html`<img class="sign" src="${icon}" alt="" width="52" height="52">\n`;
}

/** Whether a browser asks for a page, rather than a program for JSON. */
export function wantsPage({ header }: RequestFacts): boolean {
  return header("accept")?.includes("text/html") ?? false;
}

interface PageTraits {
  status?: number;
  headers?: Record<string, string>;
  refusal?: RefusedLogin | null;
}

/** A page as an answer that no cache keeps and no other site frames. */
export function pageAnswer(
  content: Html,
  { status = 200, headers, refusal = null }: PageTraits = {},
): RawAnswer {
  const policy =
    `default-src 'none'; style-src ${sourceOf(style)}; img-src 'self' data:; form-action 'self'; base-uri 'none'; ` +
    "frame-ancestors 'none'";
  const fixed = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex",
    vary: "accept, accept-language",
  };
  return new RawAnswer(content.text, { ...fixed, ...headers }, status, refusal);
}

/** Leads a browser that has sent a form to another page. */
export function leadTo(location: string): RawAnswer {
  return new RawAnswer(null, { location, "cache-control": "no-store" }, 303);
}

/** A page that says only why something is refused; `write` makes its text. */
export function refusalAnswer(
  error: unknown,
  { say }: Translator,
  write: (message: string, traits: { forNow: boolean }) => Html,
): RawAnswer {
  if (!(error instanceof AppError)) throw error;
  const wait = error.data["retry-after"];
  const forNow = typeof wait === "number";
  const headers: Record<string, string> = forNow ? { "retry-after": String(Math.ceil(wait)) } : {};
  // Not 401, which would make browsers ask for credentials.
  const status = error.status === 401 ? 403 : error.status;
  const refusal = error instanceof RefusedLogin ? error : null;
  return pageAnswer(write(say(error.sentence), { forNow }), { status, headers, refusal });
}

/** The style sheet; the content security policy allows it by its hash. */
const style = `
:root { color-scheme: light dark; --ground: #f3f4f8; --card: #fff; --ink: #1c2030; --soft: #5a6178;
  --line: #c9cedd; --field: #fff; --accent: #3f51c9; --on-accent: #fff; --wrong: #b3261e; --wrong-ground: #fdeceb; --code: #f3f4f8; }
@media (prefers-color-scheme: dark) { :root { --ground: #12141c; --card: #1b1e2a; --ink: #e8eaf3; --soft: #a3aac2;
  --line: #454c66; --field: #12141c; --accent: #9aa8ff; --on-accent: #10132a; --wrong: #ffb4ab; --wrong-ground: #3b1f1f; --code: #12141c; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; padding: 1.5rem 1rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
:root:lang(ja) { line-break: strict; word-break: auto-phrase; }
main { width: 100%; max-width: 27rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
  padding: 2rem; box-shadow: 0 1px 2px #0001, 0 12px 32px #0001; }
main.wide { max-width: 40rem; }
.sign { display: block; width: 3.25rem; height: 3.25rem; border-radius: .9rem; margin-bottom: 1.25rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .35rem; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 .35rem; }
h3 { font-size: .95rem; margin: 1rem 0 .25rem; }
p { margin: 0 0 .75rem; }
a { color: var(--accent); text-underline-offset: 2px; }
main > :last-child { margin-bottom: 0; }
.lead, .hint { color: var(--soft); }
.hint { font-size: .875rem; margin: .3rem 0 0; }
label { display: block; font-weight: 600; margin: 1.1rem 0 .3rem; }
input { width: 100%; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--line);
  border-radius: .6rem; padding: .65rem .8rem; min-height: 2.9rem; }
input[readonly] { background: transparent; border-style: dashed; color: var(--soft); }
input[aria-invalid] { border-color: var(--wrong); }
input:focus-visible, button:focus-visible, .provider:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button { width: 100%; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0;
  border-radius: .6rem; padding: .75rem; min-height: 3rem; margin-top: 1.6rem; cursor: pointer; }
.provider { display: flex; align-items: center; justify-content: center; gap: .6rem; min-height: 3rem; margin-top: 1rem; padding: .6rem;
  border: 1px solid var(--line); border-radius: .6rem; color: inherit; font-weight: 600; text-decoration: none; overflow-wrap: anywhere; }
.provider:hover { border-color: var(--accent); }
button:hover { filter: brightness(1.08); }
.wrong { background: var(--wrong-ground); color: var(--wrong); border-radius: .6rem; padding: .7rem .9rem; margin: 1rem 0 0; font-weight: 600; overflow-wrap: anywhere; }
.qr { display: block; background: #fff; border-radius: .6rem; image-rendering: pixelated; }
.key { display: block; font: 600 1.05rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; background: var(--code); border: 1px solid var(--line);
  border-radius: .6rem; padding: .8rem .9rem; overflow-wrap: anywhere; user-select: all; }
pre { font: .875rem/1.55 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; background: var(--code); border: 1px solid var(--line);
  border-radius: .6rem; padding: .8rem .9rem; margin: .4rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .4rem 0 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { main { padding: 1.5rem 1.25rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;
