// Renders mails as text and as HTML, for light and dark themes, without anything to load from the network.
import { markUp } from "@/foundation/pages/frame.ts";
import { remarkOnLinks } from "@/foundation/realm/schema.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import type { Language } from "@/text/language/languages.ts";
import type { Part, Translator } from "@/text/language/translator.ts";
import type { MailBlock, MailLetter, QuotedMessage } from "./schema.ts";

interface Frame {
  organization: string;
  site: string;
  /** The URL for unsubscribing. */
  unsubscribe?: string | undefined;
}

/** A letter as text and as HTML; says so if its links only work on the server's own machine. */
export function composeLetter(letter: MailLetter, frame: Frame): { text: string; html: string } {
  const shown = { ...letter, blocks: withRemark(letter, frame.site) };
  return { text: textOf(shown, frame), html: pageOf(shown, frame).text };
}

/** Adds the remark on links below the first button. Every mail has links: its end names the server. */
function withRemark({ blocks, translator: { t } }: MailLetter, site: string): readonly MailBlock[] {
  const remark = remarkOnLinks(site).map((text) => ({ text: t(text) }));
  const at = blocks.findIndex((block) => "url" in block) + 1 || blocks.length;
  return [...blocks.slice(0, at), ...remark, ...blocks.slice(at)];
}

function textOf(
  { translator, blocks, footer }: MailLetter,
  { organization, site, unsubscribe }: Frame,
): string {
  const end = [
    `-- \n${plainOf(sourceParts(translator, { organization, site }))}`,
    footer,
    unsubscribe && factText(translator, [translator.t("Unsubscribe"), unsubscribe]),
  ];
  const parts = [
    ...blocks.map((block) => blockText(translator, block)),
    end.filter((line) => line !== undefined).join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

const sourceParts = ({ parts }: Translator, { organization, site }: Frame) =>
  parts("{organization}, <link>{site}</link>", { organization, site });

const plainOf = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? part : plainOf(part.parts))).join("");

const indent = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by);

function blockText(translator: Translator, block: MailBlock): string {
  const { t } = translator;
  if ("text" in block) return block.text;
  if ("url" in block) return `${t("{label}:", { label: block.label })}\n    ${block.url}`;
  if ("facts" in block) return block.facts.map((fact) => `    ${factText(translator, fact)}`).join("\n");
  if ("lines" in block) return indent(block.lines, "    ");
  const { sender, time, text } = block.message;
  return `${t("{name}, {time}", { name: sender, time })}\n${text.replaceAll(/^/gm, "> ")}`;
}

function factText({ t }: Translator, [name, value]: readonly [string, string]): string {
  return t("{name}: {value}", { name, value });
}

const fonts = "-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif";

/** The sides of a language for style attributes: many mail programs do not know "start" and "end". */
function sidesOf({ dir }: Language): { start: string; end: string } {
  return dir === "rtl" ? { start: "right", end: "left" } : { start: "left", end: "right" };
}

/** The style attributes have the light theme, for mail programs that ignore this. */
const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; }
a { color: #3f51c9; }
.message p, .message ul, .message ol, .message blockquote, .message pre, .message table, .message h1, .message h2,
.message h3, .message h4, .message h5, .message h6 { margin: 0 0 8px; }
.message h1, .message h2, .message h3, .message h4, .message h5, .message h6 { font-size: 16px; }
.message p, .message li, .message h1, .message h2, .message h3, .message h4, .message h5, .message h6, .message th, .message td { unicode-bidi: plaintext; }
.message ul, .message ol { padding-inline-start: 24px; }
.message blockquote { border-inline-start: 3px solid #c9cedd; padding-inline-start: 12px; color: #5a6178; }
.message pre, .message code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; background: #f3f4f8; border-radius: 4px; }
.message pre { padding: 8px 10px; white-space: pre-wrap; } .message code { padding: 1px 4px; white-space: pre-wrap; } .message pre code { padding: 0; }
.message table { border-collapse: collapse; } .message th, .message td { border: 1px solid #c9cedd; padding: 3px 8px; }
.ground:lang(ja) { line-break: strict; word-break: auto-phrase; }
@media (prefers-color-scheme: dark) {
  body, .ground { background: #12141c !important; }
  .card { background: #1b1e2a !important; border-color: #353b52 !important; }
  .ink, .ink td { color: #e8eaf3 !important; } .soft, .soft a, .message blockquote { color: #a3aac2 !important; }
  a { color: #aab6ff; } td.sign, .button td { background: #9aa8ff !important; }
  .ink td.sign, .button a { color: #10132a !important; } .ink td.soft { color: #a3aac2 !important; }
  .line { border-color: #353b52 !important; }
  .lines, .message pre, .message code { background: #12141c !important; }
  .message blockquote, .message th, .message td { border-color: #454c66; }
}
@media (max-width: 480px) { .card { padding: 24px 20px !important; } .ground { padding: 12px 8px !important; } }
`;

function pageOf(letter: MailLetter, frame: Frame): Html {
  const { subject, heading = subject, blocks } = letter;
  const { language } = letter.translator;
  const { start } = sidesOf(language);
  const [first = "C"] = [...frame.organization.trim()];
  return html`<!doctype html>
<html lang="${language.tag}" dir="${language.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${{ text: style }}</style>
</head>
<body style="margin:0;padding:0;background:#f3f4f8">
<table role="presentation" class="ground" lang="${language.tag}" dir="${language.dir}" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f8;padding:28px 12px">
<tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px">
<tr><td class="card ink" style="background:#ffffff;border:1px solid #dfe3ee;border-radius:14px;padding:32px;font:16px/1.5 ${fonts};color:#1c2030;text-align:${start}">
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr>
<td class="sign" width="40" height="40" align="center" style="background:#3f51c9;color:#ffffff;border-radius:11px;font:700 20px/40px ${fonts}">${first.toLocaleUpperCase("en")}</td>
<td class="soft" style="padding-${start}:12px;font:600 15px/1.3 ${fonts};color:#5a6178">${frame.organization}</td>
</tr></table>
<h1 style="margin:0 0 16px;font:700 22px/1.3 ${fonts};overflow-wrap:anywhere">${heading}</h1>
${blocks.map((block) => blockHtml(letter.translator, block))}</td></tr>
<tr><td class="soft" style="padding:18px 32px 0;font:13px/1.5 ${fonts};color:#5a6178;text-align:${start}">
${footerHtml(letter, frame)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function footerHtml({ translator, footer }: MailLetter, frame: Frame): Html {
  const { site, unsubscribe } = frame;
  const source = markUp(sourceParts(translator, frame), {
    link: () => html`<a href="${site}" dir="ltr" style="color:#5a6178">${site}</a>`,
  });
  return html`${footer !== undefined && html`${footer}<br>\n`}${source}${
    unsubscribe !== undefined &&
    html`<br>\n<a href="${unsubscribe}" style="color:#5a6178">${translator.t("Unsubscribe")}</a>`
  }
`;
}

function blockHtml(translator: Translator, block: MailBlock): Html {
  if ("text" in block) {
    return html`<p style="margin:0 0 16px;white-space:pre-line;overflow-wrap:anywhere">${block.text}</p>\n`;
  }
  if ("url" in block) return buttonHtml(block);
  if ("lines" in block) {
    return html`<pre class="lines" dir="auto" style="text-align:start;margin:0 0 16px;padding:12px 14px;background:#f3f4f8;border-radius:8px;font:13px/1.55 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere">${block.lines}</pre>\n`;
  }
  if ("message" in block) return messageHtml(translator, block.message);
  const { end } = sidesOf(translator.language);
  const rows = block.facts.map(
    ([
      name,
      value,
    ]) => html`<tr><td class="soft" style="padding:3px 0;padding-${end}:16px;color:#5a6178;vertical-align:top;white-space:nowrap">${name}</td><td style="padding:3px 0;overflow-wrap:anywhere">${translator.isolate(value)}</td></tr>
`,
  );
  return html`<table role="presentation" cellpadding="0" cellspacing="0" class="ink" style="margin:0 0 16px;font:15px/1.45 ${fonts};color:#1c2030">
${rows}</table>\n`;
}

function buttonHtml({ label, url }: { label: string; url: string }): Html {
  return html`<table role="presentation" class="button" cellpadding="0" cellspacing="0" style="margin:4px 0 20px"><tr><td style="background:#3f51c9;border-radius:9px">
<a href="${url}" style="display:inline-block;padding:11px 22px;font:600 15px/1.3 ${fonts};color:#ffffff;text-decoration:none">${label}</a>
</td></tr></table>\n`;
}

function messageHtml(translator: Translator, { sender, time, html: content }: QuotedMessage): Html {
  const { start } = sidesOf(translator.language);
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr><td class="line ink" style="border-${start}:3px solid #c9cedd;padding-${start}:14px;font:15px/1.5 ${fonts};color:#1c2030">
<div style="margin:0 0 4px"><strong>${translator.isolate(sender)}</strong> <span class="soft" style="color:#5a6178;font-size:13px">${time}</span></div>
<div class="message" dir="auto" style="overflow-wrap:anywhere;text-align:start">${content}</div>
</td></tr></table>\n`;
}
