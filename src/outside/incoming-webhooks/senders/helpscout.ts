// https://developer.helpscout.com/webhooks/
import { facts, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, link, quote, words } from "../wording.ts";

const nameOf = (one: PayloadValue) => [one.at("first").text, one.at("last").text].filter(Boolean).join(" ");

const say =
  (describe: (payload: PayloadValue, named: string) => string, hasText = false): PayloadWording =>
  (payload) => {
    const [id, number] = [payload.at("id").text, payload.at("number").text];
    const title = [number === "" ? "" : `#${number}`, firstOf(payload.at("subject").text, "a conversation")]
      .join(" ")
      .trim();
    const isKnown = /^\d{1,15}$/.test(id) && /^\d{1,15}$/.test(number);
    const url = isKnown ? `https://secure.helpscout.net/conversation/${id}/${number}` : "";
    return message(
      title,
      `${describe(payload, link(title, url))}${hasText ? quote(payload.at("preview").text) : ""}`,
      facts([["Customer", hasText ? nameOf(payload.at("primaryCustomer")) : ""]]),
    );
  };

export default sender({
  name: "helpscout",
  title: "Help Scout",
  setup: { where: "Manage, Apps, Webhooks", field: "Callback URL" },
  eventOf: ({ header }) => firstOf(header("x-helpscout-event"), "unknown"),
  isSigned: ({ body, header }, secret) =>
    isHmac(header("x-helpscout-signature"), { body, secret, hash: "sha1", encoding: "base64" }),
  events: {
    "convo.created": say((_, named) => `New conversation ${named}.`, true),
    "convo.customer.reply.created": say((_, named) => `The customer replied to ${named}.`, true),
    "convo.agent.reply.created": say((_, named) => `Somebody of the team replied to ${named}.`, true),
    "convo.note.created": say((_, named) => `There is a new note on ${named}.`),
    "convo.assigned": say((payload, named) => {
      const name = nameOf(payload.at("assignee"));
      return name === "" ? `${named} was unassigned.` : `${named} was assigned to ${bold(name)}.`;
    }),
    "convo.status": say((payload, named) => {
      const status = payload.at("status").text;
      return `${status === "closed" ? "✅ " : ""}${named} is now ${bold(words(status) || "changed")}.`;
    }),
    "satisfaction.ratings": say((_, named) => `A customer rated ${named}.`),
    "*": plainEvent("Help Scout"),
  },
  quiet: ["convo.agent.reply.created"],
  sample: {
    headers: { "x-helpscout-event": "convo.created" },
    payload: { number: 1, subject: "A test event" },
  },
});
