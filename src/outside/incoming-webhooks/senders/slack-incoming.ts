// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: what hundreds of tools post.
import { slackMarkdown } from "@/text/markup/slack.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type Said, sender } from "../sender.ts";
import { bold, code, escapeText, link, quote, shortenText, webAddress, withoutMentions } from "../wording.ts";

const maxParts = 20;
const maxText = 10_000;
const maxField = 1_000;
const maxContent = 9_000;

function toMessage(payload: PayloadValue): Said | null {
  const blocks = blocksOf(payload);
  // As in Slack, the text of a message with blocks is only for notifications.
  const text = blocks === "" ? slackText(payload.at("text").text) : "";
  const attachments = untilFull(payload.at("attachments").list, attachment);
  const content = together([text, blocks, ...attachments], "\n\n");
  if (content === "") return null;
  const topic = firstOf(
    payload.at("username").text,
    payload.at("channel").text.replace(/^#/, ""),
    "Notifications",
  );
  return { topic, content: content.slice(0, maxContent) };
}

function slackText(text: string, max = maxText): string {
  return slackMarkdown(shortenText(text, max));
}

/** Converts pieces one by one until the message is long enough. */
function untilFull(pieces: readonly PayloadValue[], word: (piece: PayloadValue) => string): string[] {
  const worded: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (length > maxContent) break;
    worded.push(word(piece));
    length += worded.at(-1)?.length ?? 0;
  }
  return worded;
}

function together(parts: readonly string[], between = "\n"): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(between);
}

function blocksOf(holder: PayloadValue): string {
  return together(untilFull(holder.at("blocks").list, block), "\n\n");
}

/** A text object of a block, in Slack's markup or plain. */
function textIn(piece: PayloadValue): string {
  if (typeof piece.value === "string") return slackText(piece.text, 3_000);
  const text = piece.at("text").text;
  return piece.at("type").text === "plain_text" ? lines(shortenText(text, 3_000)) : slackText(text, 3_000);
}

function lines(text: string): string {
  return text
    .split("\n")
    .map((line) => escapeText(line, 3_000))
    .join("\n");
}

function block(piece: PayloadValue): string {
  switch (piece.at("type").text) {
    case "header":
      return `## ${escapeText(piece.at("text", "text").text)}`;
    case "section": {
      const fields = piece.at("fields").list.slice(0, maxParts).map(textIn);
      return together([textIn(piece.at("text")), fields.join("\n"), element(piece.at("accessory"))]);
    }
    case "context":
      return piece.at("elements").list.slice(0, maxParts).map(element).filter(Boolean).join(" · ");
    case "actions":
      return piece.at("elements").list.slice(0, maxParts).map(element).filter(Boolean).join(" · ");
    case "divider":
      return "---";
    case "image":
      return picture(piece);
    case "video":
      return link(
        firstOf(piece.at("title", "text").text, "Video"),
        firstOf(piece.at("title_url").text, piece.at("video_url").text),
      );
    case "markdown":
      return withoutMentions(shortenText(piece.at("text").text, maxText));
    case "rich_text":
      return together(piece.at("elements").list.slice(0, maxParts).map(richPart));
    case "table":
      return table(piece);
    default:
      return textIn(piece.at("text"));
  }
}

/** An element of a block: a text, a picture, or a button with a link. */
function element(piece: PayloadValue): string {
  switch (piece.at("type").text) {
    case "image":
      return picture(piece);
    case "button":
      return button(piece);
    case "plain_text":
    case "mrkdwn":
      return textIn(piece);
    default:
      return "";
  }
}

/** A button with a URL, as a link; others do nothing here. Its text may be a string or a text object. */
function button(piece: PayloadValue): string {
  const address = piece.at("url").text;
  if (webAddress(address) === null) return "";
  return link(firstOf(piece.at("text", "text").text, piece.at("text").text), address);
}

function picture(piece: PayloadValue): string {
  const address = firstOf(piece.at("image_url").text, piece.at("slack_file", "url").text);
  return link(firstOf(piece.at("title", "text").text, piece.at("alt_text").text, "Picture"), address);
}

function richPart(piece: PayloadValue): string {
  const inside = () =>
    piece.at("elements").list.slice(0, maxParts).map(richText).join("").replaceAll("****", "** **");
  switch (piece.at("type").text) {
    case "rich_text_list": {
      const isOrdered = piece.at("style").text === "ordered";
      const indent = "  ".repeat(Math.min(5, piece.at("indent").number));
      const items = piece.at("elements").list.slice(0, maxParts).map(richPart);
      return items.map((item, at) => `${indent}${isOrdered ? `${at + 1}.` : "*"} ${item}`).join("\n");
    }
    case "rich_text_preformatted":
      return `\`\`\`\n${piece
        .at("elements")
        .list.map((one) => one.at("text").text)
        .join("")
        .replaceAll("```", "'''")}\n\`\`\``;
    case "rich_text_quote":
      return quote(inside()).trim();
    default:
      return inside();
  }
}

function richText(piece: PayloadValue): string {
  const text = piece.at("text").text;
  switch (piece.at("type").text) {
    case "link":
      return link(firstOf(text, piece.at("url").text), piece.at("url").text);
    case "emoji":
      return `:${piece.at("name").text.replaceAll(/[^\w+-]/g, "")}:`;
    case "user":
      return bold(`@${piece.at("user_id").text}`);
    case "channel":
      return bold(`#${piece.at("channel_id").text}`);
    case "broadcast":
      return bold(`@${piece.at("range").text}`);
    default:
      return styleText(text, piece.at("style"));
  }
}

/** Puts formatting marks next to the words, and spaces outside of them. */
function styleText(text: string, style: PayloadValue): string {
  const inside = text.trim();
  if (inside === "") return text;
  const before = text.slice(0, text.length - text.trimStart().length);
  const after = text.slice(text.trimEnd().length);
  if (style.at("code").isTrue) return before + code(inside) + after;
  let worded = lines(inside);
  if (style.at("italic").isTrue) worded = `*${worded}*`;
  if (style.at("bold").isTrue) worded = `**${worded}**`;
  if (style.at("strike").isTrue) worded = `~~${worded}~~`;
  return before + worded + after;
}

function table(piece: PayloadValue): string {
  const rows = piece
    .at("rows")
    .list.slice(0, maxParts)
    .map((row) => {
      const cells = row.list
        .slice(0, 20)
        .map((cell) =>
          firstOf(
            escapeText(cell.at("text").text.replaceAll("|", " "), maxField),
            richPart(cell.at("elements", 0)),
          ),
        );
      return `| ${cells.map((cell) => cell.replaceAll(/[|\n]/g, " ")).join(" | ")} |`;
    });
  const [head = "", ...body] = rows;
  const columns = head.split("|").length - 2;
  return head === "" ? "" : [head, `|${" --- |".repeat(Math.max(1, columns))}`, ...body].join("\n");
}

function attachment(piece: PayloadValue): string {
  const title = link(piece.at("title").text, piece.at("title_link").text);
  const fields = piece
    .at("fields")
    .list.slice(0, maxParts)
    .map((field) => {
      return `* **${escapeText(field.at("title").text)}**: ${slackText(field.at("value").text, maxField)}`;
    });
  const author = link(piece.at("author_name").text, piece.at("author_link").text);
  const parts = [
    slackText(piece.at("pretext").text, maxField),
    author,
    title === "" ? "" : `**${title}**`,
    slackText(piece.at("text").text),
    blocksOf(piece),
    fields.join("\n"),
    piece.at("image_url").isThere ? link("Picture", piece.at("image_url").text) : "",
    piece.at("actions").list.slice(0, maxParts).map(button).filter(Boolean).join(" · "),
    escapeText(piece.at("footer").text),
  ];
  return firstOf(together(parts), slackText(piece.at("fallback").text, maxField));
}

export default sender({
  name: "slack_incoming",
  title: "Slack's incoming webhooks",
  setup: { where: "the settings for messages to Slack", field: "Webhook URL" },
  eventOf: () => "message",
  events: { message: toMessage },
  quiet: [],
  sample: { headers: {}, payload: { text: "A *test event* in the form of Slack’s incoming webhooks." } },
});
