// https://meta.discourse.org/t/configure-webhooks-that-trigger-on-discourse-events/49045
import { sentence } from "../forge.ts";
import { connected, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type IncomingCall, type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, inPath, link } from "../wording.ts";

const person = (one: PayloadValue) => firstOf(one.at("name").text, one.at("username").text);
const isPrivate = (archetype: string) => archetype === "private_message";

/** The page of a topic or a post; the forum names its own address in a header. */
function pageOf(
  { header }: IncomingCall,
  { slug, id, post = "" }: { slug: string; id: string; post?: string },
): string {
  const site = header("x-discourse-instance").slice(0, 300).replace(/\/+$/, "");
  if (site === "" || id === "") return "";
  return [site, "t", inPath(slug || "-"), inPath(id), inPath(post)].filter(Boolean).join("/");
}

const topic =
  (verb: "opened" | "closed"): PayloadWording =>
  (payload, call) => {
    const one = payload.at("topic");
    if (isPrivate(one.at("archetype").text)) return null;
    const title = firstOf(one.at("title").text, "a topic");
    const url = pageOf(call, { slug: one.at("slug").text, id: one.at("id").text });
    const named = link(title, url);
    if (verb === "opened")
      return message(title, sentence(person(one.at("created_by")), `opened the topic ${named}`));
    const did = one.at("closed").value === false ? "opened again" : "closed";
    return message(title, `🔒 ${named} was ${did}.`);
  };

const post: PayloadWording = (payload, call, event) => {
  const one = payload.at("post");
  const number = one.at("post_number").text;
  const isUsual = one.at("post_type").text === "1" || !one.at("post_type").isThere;
  const isHidden = one.at("hidden").isTrue || one.at("deleted_at").isThere;
  // The first post is the topic's, which has an event of its own.
  if (isPrivate(one.at("topic_archetype").text) || !isUsual || isHidden) return null;
  if (event === "post_created" && number === "1") return null;
  const title = firstOf(one.at("topic_title").text, "a topic");
  const url = pageOf(call, { slug: one.at("topic_slug").text, id: one.at("topic_id").text, post: number });
  const did = event === "post_edited" ? "changed a post in" : "wrote in";
  return message(title, sentence(person(one), `${did} ${link(title, url)}`, one.at("raw").text));
};

export default sender({
  name: "discourse",
  title: "Discourse",
  setup: { where: "Admin, Advanced, Webhooks, New webhook", field: "Payload URL" },
  deliveryOf: ({ header }) => header("x-discourse-event-id"),
  eventOf: ({ header, payload }) => {
    if (header("x-discourse-event-type") === "ping" || payload.at("ping").isThere) return "ping";
    return firstOf(header("x-discourse-event"), "unknown");
  },
  isSigned: ({ body, header }, secret) =>
    isHmac(header("x-discourse-event-signature"), { body, secret, prefix: "sha256=" }),
  events: {
    ping: connected("Discourse"),
    topic_created: topic("opened"),
    topic_closed_status_updated: topic("closed"),
    post_created: post,
    post_edited: post,
    user_created: (payload) => message("new people", `${bold(person(payload.at("user")))} has registered.`),
    reviewable_created: () => message("review", "⚠ Something waits for a review."),
    accepted_solution: post,
    "*": plainEvent("Discourse"),
  },
  quiet: ["post_edited"],
  sample: {
    headers: { "x-discourse-event": "topic_created", "x-discourse-event-type": "topic" },
    payload: { topic: { title: "A test event", created_by: { username: "confab" } } },
  },
});
