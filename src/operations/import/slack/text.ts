// Converts Slack's mrkdwn to Markdown.
import { referTo, withoutMarks } from "@/operations/import/intake/references.ts";
import { unescapeSlack } from "@/text/markup/slack.ts";

export interface SlackExportNames {
  /** The key of the person with this ID. */
  person(id: string): string | null;
  nameOf(id: string): string | null;
  hasChannel(id: string): boolean;
  /** Our name for an emoji. */
  emoji(name: string): string;
}

const fence = /```\n?([\s\S]*?)\n?```|`([^`\n]+)`/g;

export function fromSlack(given: string, names: SlackExportNames): string {
  const text = withoutMarks(given);
  let result = "";
  let at = 0;
  for (const found of text.matchAll(fence)) {
    result += prose(text.slice(at, found.index), names);
    const [whole, block, span] = found;
    result +=
      block === undefined ? `\`${plain(span ?? "", names)}\`` : fenceCode(plain(block, names), result);
    at = found.index + whole.length;
  }
  return (result + prose(text.slice(at), names)).replaceAll(/\n{3,}/g, "\n\n").trim();
}

function fenceCode(code: string, before: string): string {
  const marks = code.includes("```") ? "~~~~" : "```";
  return `${before === "" || before.endsWith("\n") ? "" : "\n"}${marks}\n${code}\n${marks}\n`;
}

const special = /<([^<>\n]+)>/g;

/** Text inside code: no formatting, and plain names instead of mentions and links. */
function plain(text: string, names: SlackExportNames): string {
  return unescapeSlack(
    text.replaceAll(special, (_, inside: string) => {
      const [target = "", label] = split(inside);
      if (label !== undefined) return label;
      if (target.startsWith("@")) return `@${names.nameOf(target.slice(1)) ?? target.slice(1)}`;
      return target.replace(/^!/, "@");
    }),
  );
}

function split(inside: string): [string, string | undefined] {
  const at = inside.indexOf("|");
  return at < 0 ? [inside, undefined] : [inside.slice(0, at), inside.slice(at + 1)];
}

/** Replaces links, mentions and emoji by placeholders while the rest is formatted. */
function prose(text: string, names: SlackExportNames): string {
  if (text === "") return "";
  const kept: string[] = [];
  const keep = (part: string) => `\u{e003}${kept.push(part) - 1}\u{e004}`;
  const linked = text
    .replaceAll(/[\u{e003}\u{e004}]/gu, "\u{fffd}")
    .replaceAll(special, (_, inside: string) => keep(reference(inside, names)))
    .replaceAll(/:([\w+'-]+):(?::skin-tone-\d:)?/g, (_, name: string) => keep(`:${names.emoji(name)}:`));
  return convertFormats(convertQuotes(unescapeSlack(linked))).replaceAll(
    /\u{e003}(\d+)\u{e004}/gu,
    (_, n: string) => kept[Number(n)] ?? "",
  );
}

const wildcards = new Set(["channel", "here", "everyone"]);
const permalink = /^https:\/\/[^/]+\.slack\.com\/archives\/(\w+)\/p(\d{10})(\d{6})/;

function reference(inside: string, names: SlackExportNames): string {
  const [target, given] = split(inside);
  const label = given === undefined ? undefined : unescapeSlack(given);
  if (target.startsWith("@")) {
    const key = names.person(target.slice(1));
    return key === null ? `@${label ?? target.slice(1)}` : referTo("person", key);
  }
  if (target.startsWith("#")) {
    const key = target.slice(1);
    return names.hasChannel(key) ? referTo("channel", key) : `#${label ?? key}`;
  }
  if (target.startsWith("!")) return command(target.slice(1), label);
  return link(unescapeSlack(target), label, names);
}

function command(target: string, label: string | undefined): string {
  const [name = ""] = target.split("^");
  if (wildcards.has(name)) return "@**all**";
  if (name === "subteam") return label ?? "@group";
  return label ?? name;
}

function link(url: string, label: string | undefined, names: SlackExportNames): string {
  const shown = (label ?? url).replaceAll(/[[\]]/g, "\\$&");
  const found = permalink.exec(url);
  if (found && names.hasChannel(found[1] ?? "")) {
    const [, channel = "", seconds, fraction] = found;
    return `[${shown}](${referTo("near", channel, "", `${channel}:${seconds}.${fraction}`, url)})`;
  }
  if (url.startsWith("mailto:")) return label ?? url.slice("mailto:".length);
  return label === undefined || label === url
    ? url
    : `[${shown}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

/** `>>>` quotes everything after it, `>` its own line. */
function convertQuotes(text: string): string {
  const all = text.search(/(^|\n)>>>/);
  if (all < 0) return text.replaceAll(/(^|\n)>(?=[^\s>])/g, "$1> ");
  const at = text.indexOf(">>>", all);
  const rest = text
    .slice(at + 3)
    .trim()
    .replaceAll("\n", "\n> ");
  return `${text.slice(0, at)}> ${rest}`;
}

function convertFormats(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(/^(\s*)(#{1,6}\s)/, "$1\\$2")
        .replace(/^(\s*)[•◦▪]\s+/, (_, space: string) => `${space}- `)
        .replaceAll(/(?<![\w_])_(?=\S)([^_\n]*[^_\s])_(?![\w_])/g, "\u{e005}$1\u{e005}")
        .replaceAll(/(?<![\w*@#])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g, "**$1**")
        .replaceAll("\u{e005}", "*")
        .replaceAll(/(?<![\w~])~(?=\S)([^~\n]*[^~\s])~(?![\w~])/g, "~~$1~~"),
    )
    .join("\n");
}
