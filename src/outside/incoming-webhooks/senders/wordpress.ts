// https://wordpress.com/support/webhooks/
import { message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, link, quote } from "../wording.ts";

/** Only the fields that were chosen there are sent. */
const titleOf = (payload: PayloadValue) => firstOf(payload.at("post_title").text, "without a title");

const published =
  (kind: string): PayloadWording =>
  (payload) =>
    message(`${kind}s`, `New ${kind}: ${link(titleOf(payload), payload.at("post_url").text)}`);

export default sender({
  name: "wordpress",
  title: "WordPress",
  setup: {
    where: "wp-admin, Settings, Webhooks, Add webhook, with the actions publish_post and publish_page",
    field: "URL",
  },
  eventOf: ({ payload }) => firstOf(payload.at("hook").text, "unknown"),
  events: {
    publish_post: published("post"),
    publish_page: published("page"),
    comment_post: (payload) =>
      message(
        "comments",
        `${bold(payload.at("comment_author").text)} left a comment.${quote(payload.at("comment_content").text)}`,
      ),
    user_register: (payload) =>
      message(
        "people",
        `${bold(firstOf(payload.at("display_name").text, payload.at("user_login").text))} has registered.`,
      ),
    "*": plainEvent("WordPress"),
  },
  quiet: [],
  sample: { headers: {}, payload: { hook: "publish_post", post_title: "A test event" } },
});
