// Any JSON: by the template of the bot, or as a code block. `title_field=a.b` in the URL names the field to use as the title.
import type { PayloadValue } from "../payload.ts";
import { type IncomingCall, type Said, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { sayByTemplate } from "../template.ts";
import { bold, codeBlock, shortenText } from "../wording.ts";

const maxBlock = 8_000;
const maxDepth = 10;

function titleIn(payload: PayloadValue, field: string): string {
  const path = field.split(".").slice(0, maxDepth);
  return payload.at(...path).text;
}

function toMessage(payload: PayloadValue, { option, template }: IncomingCall): Said | null {
  if (template) return inTopic(sayByTemplate(template, payload));
  const field = option("title_field");
  const title = field === "" ? "" : titleIn(payload, field);
  const block = codeBlock(JSON.stringify(payload.value, null, 2), "json", maxBlock);
  const head = title === "" ? "" : `${bold(title)}\n`;
  return { topic: shortenText(title, 60) || "JSON", content: head + block };
}

const inTopic = (said: Said | null): Said | null => said && { ...said, topic: said.topic || "JSON" };

export default sender({
  name: "json",
  title: "any JSON",
  setup: {
    where:
      "a program that can post JSON; a template of the bot words it, or “&title_field=a.b” at the end of the address makes the field b within a the title",
    field: "URL",
  },
  isForTemplates: true,
  isSigned: ({ body, header }, secret) =>
    isHmac(header("x-hub-signature-256"), { body, secret, prefix: "sha256=" }),
  signing:
    "send 'sha256=' and the HMAC-SHA256 of the body with the bot's secret, in hexadecimal digits, as the header X-Hub-Signature-256.",
  eventOf: () => "post",
  events: { post: toMessage },
  quiet: [],
  sample: { headers: {}, payload: { text: "A test event" } },
});
