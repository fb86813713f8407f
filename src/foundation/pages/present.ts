// HTML pages outside the web client, such as those for joining and for unsubscribing. They need no script and load
// nothing else.
import { RawAnswer, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html, sourceOf } from "@/kernel/http/html.ts";
import { AppError, RefusedLogin } from "@/kernel/lib/errors.ts";
import { style } from "./style.ts";

interface Frame {
  title: string;
  icon?: string;
  isWide?: boolean;
}

/** A whole page. */
export function framed({ title, icon, isWide = false }: Frame, content: readonly Html[]): Html {
  return html`<!doctype html>
<html lang="en">
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
    vary: "accept",
  };
  return new RawAnswer(content.text, { ...fixed, ...headers }, status, refusal);
}

/** A page that says only why something is refused; `write` makes its text. */
export function refusalAnswer(
  error: unknown,
  write: (message: string, traits: { forNow: boolean }) => Html,
): RawAnswer {
  if (!(error instanceof AppError)) throw error;
  const wait = error.data["retry-after"];
  const forNow = typeof wait === "number";
  const headers: Record<string, string> = forNow ? { "retry-after": String(Math.ceil(wait)) } : {};
  // Not 401, which would make browsers ask for credentials.
  const status = error.status === 401 ? 403 : error.status;
  const refusal = error instanceof RefusedLogin ? error : null;
  return pageAnswer(write(error.message, { forNow }), { status, headers, refusal });
}
