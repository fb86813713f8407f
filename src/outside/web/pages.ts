// The page of the web client, the page for unknown addresses, and the manifest of an installed client.

import { dataElement, framePage, pageAnswer } from "@/foundation/pages/frame.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { RawAnswer, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { html } from "@/kernel/http/html.ts";
import { responseOf } from "@/kernel/http/http-answers.ts";
import { english } from "@/text/language/languages.ts";
import { acceptedLanguage, translatorFor } from "@/text/language/tables.ts";
import { loadClient } from "./files.ts";
import { bootOf, translatorOfPage } from "./queries.ts";

/** Where the files of the client are. */
const filesAt = "/static/web";

/**
 * Allows this server's files, and style attributes, which formulas need; nothing else, but where the page may go if this node of a
 * cluster dies.
 */
const policyFor = (nodes: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...nodes].join(" "),
    "worker-src 'self'",
    "manifest-src 'self'",
    ["form-action 'self'", ...nodes].join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types confab",
  ].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
};

/** The page that loads the client, in the language of the person or, if nobody is signed in, of the browser. */
export async function clientPage(ctx: Ctx, request: RequestFacts): Promise<RawAnswer> {
  const { entry, assets, emoji, languages } = await loadClient();
  const boot = bootOf(ctx, { request, emojiData: `${filesAt}/${emoji}` });
  const { language, t } = translatorOfPage(ctx, request);
  const texts = languages[language.tag];
  const page = html`<!doctype html>
<html lang="${language.tag}" dir="${language.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${boot.realm_name}</title>
<link rel="icon" href="${filesAt}/${assets["icon.svg"] ?? ""}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${filesAt}/${assets["icon-180.png"] ?? ""}">
<link rel="manifest" href="/manifest.webmanifest">
${dataElement("boot", boot)}
<script async src="${filesAt}/${entry.early}"></script>
${
  texts !== undefined &&
  html`<script defer src="${filesAt}/${texts}"></script>
`
}${entry.styles.map((name) => html`<link rel="stylesheet" href="${filesAt}/${name}">\n`)}<script type="module" src="${filesAt}/${entry.script}"></script>
${entry.preload.map((name) => html`<link rel="modulepreload" href="${filesAt}/${name}">\n`)}
</head>
<body>
<div id="root"></div>
<noscript>${t("This chat needs JavaScript, which is switched off in this browser.")}</noscript>
</body>
</html>
`;
  const policy = policyFor(boot.other_nodes);
  const kept = {
    "cache-control": "private, no-cache",
    "referrer-policy": "same-origin",
    vary: "accept-language",
  };
  return new RawAnswer(page.text, { ...pageHeaders, ...kept, "content-security-policy": policy });
}

/** The manifest: name and icons of an installed client. */
export async function webManifest(ctx: Ctx, request: RequestFacts): Promise<RawAnswer> {
  const { assets, emoji } = await loadClient();
  const { realm_name } = bootOf(ctx, { request, emojiData: `${filesAt}/${emoji}` });
  const icon = (name: string, sizes: string, purpose: string) => ({
    src: `${filesAt}/${assets[name]}`,
    sizes,
    type: name.endsWith(".svg") ? "image/svg+xml" : "image/png",
    purpose,
  });
  const manifest = {
    id: "/",
    name: realm_name,
    short_name: realm_name.slice(0, 12),
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#f6f7fa",
    theme_color: "#3f51c9",
    icons: [
      icon("icon-192.png", "192x192", "any"),
      icon("icon-512.png", "512x512", "any"),
      icon("icon-maskable-512.png", "512x512", "maskable"),
      icon("icon.svg", "any", "any"),
    ],
  };
  const headers = { "content-type": "application/manifest+json", "cache-control": "no-cache" };
  return new RawAnswer(JSON.stringify(manifest), { ...headers, "x-content-type-options": "nosniff" });
}

/** The page for an unknown address, if a browser asks; null for programs. */
export function absentPage(request: Request): Response | null {
  const isPage = request.method === "GET" && request.headers.get("accept")?.includes("text/html");
  if (!isPage) return null;
  const accepted = acceptedLanguage(request.headers.get("accept-language") ?? undefined);
  const translator = translatorFor(accepted ?? english);
  const { t } = translator;
  const answer = pageAnswer(
    framePage({ translator, title: t("Not found") }, [
      html`<h1>${t("There is nothing at this address")}</h1>
<p class="lead">${t("The link may be incomplete, or what it led to is gone.")}</p>
<p><a href="/">${t("Open the chat")}</a></p>`,
    ]),
    { status: 404 },
  );
  return responseOf(answer);
}
