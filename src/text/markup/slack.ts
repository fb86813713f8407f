// Slack's markup as our Markdown: https://docs.slack.dev/messaging/formatting-message-text

/** How names behind IDs are written; without one, an ID is shown as it is. */
export interface SlackNames {
  user?: (id: string, label: string) => string | null;
  channel?: (id: string, label: string) => string | null;
  group?: (id: string, label: string) => string | null;
}

/** Converts a text. Does not change code. Names become bold text, unless `names` makes mentions of them. */
export function slackMarkdown(text: string, names: SlackNames = {}): string {
  const parts = text.replaceAll("\r\n", "\n").split(/(```[\s\S]*?```|`[^`\n]+`)/);
  return parts.map((part, at) => (at % 2 === 1 ? codeOf(part, names) : proseOf(part, names))).join("");
}

function codeOf(part: string, names: SlackNames): string {
  if (!part.startsWith("```"))
    return unescapeSlack(part.replaceAll(reference, (_, inside) => labelOf(inside, names)));
  const inside = part.slice(3, -3).replaceAll(reference, (_, one) => labelOf(one, names));
  return `\n\`\`\`\n${unescapeSlack(inside).replace(/^\n|\n$/g, "")}\n\`\`\`\n`;
}

const reference = /<([^<>\n]+)>/g;

function proseOf(part: string, names: SlackNames): string {
  const kept: string[] = [];
  const keep = (worded: string) => `\u0000${kept.push(worded) - 1}\u0000`;
  const plain = part
    .replaceAll("\u0000", "")
    .replaceAll(reference, (_, inside) => keep(referenceOf(inside, names)));
  return unescapeSlack(convertMarks(literal(plain)))
    .replaceAll(/^• ?/gm, "* ")
    .replaceAll(/\u0000(\d+)\u0000/g, (_, at) => kept[Number(at)] ?? "");
}

/** What our Markdown reads otherwise than Slack does: links in brackets, headings, and an @ before bold text or a name. */
function literal(text: string): string {
  return text
    .replaceAll(/[[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/^#(?=#* )/gm, "&#35;")
    .replaceAll(/@(?=[*_\u0000]|$)/g, "&#64;");
}

function convertMarks(text: string): string {
  return text
    .replaceAll(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\p{L}\p{N}*])/gu, "**$1**")
    .replaceAll(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]*[^\s_])_(?![\p{L}\p{N}_])/gu, "*$1*")
    .replaceAll(/(?<![\p{L}\p{N}~])~(?=[^\s~])([^~\n]*[^\s~])~(?![\p{L}\p{N}~])/gu, "~~$1~~")
    .replaceAll(/^(?:&gt;|>) ?/gm, "> ");
}

function referenceOf(inside: string, names: SlackNames): string {
  const [target = "", label = ""] = split(inside);
  if (target.startsWith("@"))
    return names.user?.(target.slice(1), label) ?? bold(`@${label || target.slice(1)}`);
  if (target.startsWith("#"))
    return names.channel?.(target.slice(1), label) ?? bold(`#${label || target.slice(1)}`);
  if (target.startsWith("!subteam^")) return names.group?.(target.slice(9), label) ?? bold(label || "@group");
  if (target.startsWith("!date^")) return dateOf(target, label);
  if (target.startsWith("!")) return bold(label || `@${target.slice(1)}`);
  return linkOf(target, label);
}

function labelOf(inside: string, names: SlackNames): string {
  const [target = "", label = ""] = split(inside);
  return /^[@#!]/.test(target) ? referenceOf(inside, names).replaceAll("**", "") : label || target;
}

function split(inside: string): [string, string] {
  const bar = inside.indexOf("|");
  return bar < 0 ? [inside, ""] : [inside.slice(0, bar), inside.slice(bar + 1)];
}

function bold(text: string): string {
  return `**${unescapeSlack(text).replaceAll("*", "")}**`;
}

/** `!date^SECONDS^FORMAT^LINK`: a time that each reader sees in their own zone. */
function dateOf(target: string, label: string): string {
  const seconds = Number(target.split("^")[1]);
  const isTime = Number.isFinite(seconds) && Math.abs(seconds) < 8e12;
  return isTime ? `<time:${new Date(seconds * 1000).toISOString()}>` : unescapeSlack(label);
}

function linkOf(target: string, label: string): string {
  const url = unescapeSlack(target);
  const address = url.replace(/^mailto:/, "");
  const text = unescapeSlack(label).replaceAll(/[[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  if (text === "" || text === url || text === address) return url.startsWith("mailto:") ? address : url;
  if (!/^(https?|mailto):/i.test(url)) return text;
  return `[${text}](${url.replaceAll(/[()\s]/g, (sign) => encodeURIComponent(sign).replace("(", "%28").replace(")", "%29"))})`;
}

/** Slack escapes these three signs, and no others. */
export function unescapeSlack(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
