// https://docs.rollbar.com/docs/webhooks
import { connected, facts, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, escapeText } from "../wording.ts";

const levels: Readonly<Record<string, string>> = {
  "10": "debug",
  "20": "info",
  "30": "warning",
  "40": "error",
  "50": "critical",
};

function problemOf(last: PayloadValue): string {
  const body = last.at("body");
  const exception = firstOf(
    body.at("trace", "exception", "message").text,
    body.at("trace_chain", 0, "exception", "message").text,
    body.at("message", "body").text,
  );
  return exception;
}

const item =
  (head: string): PayloadWording =>
  (payload) => {
    const data = payload.at("data");
    const one = data.at("item");
    const last = one.at("last_occurrence").isThere ? one.at("last_occurrence") : data.at("occurrence");
    const title = firstOf(one.at("title").text, problemOf(last), "an item");
    const number = one.at("counter").text;
    const level = firstOf(valueIn(levels, one.at("level").text) ?? "", last.at("level").text);
    const named = number === "" ? title : `#${number} ${title}`;
    return message(
      named,
      `${head} ${bold(named)}.`,
      facts([
        ["Level", level],
        ["Environment", firstOf(one.at("environment").text, last.at("environment").text)],
        ["Times", firstOf(data.at("occurrences").text, one.at("total_occurrences").text)],
        [
          "Rate",
          data.at("trigger", "threshold").isThere
            ? `${data.at("trigger", "threshold").text} in ${data.at("trigger", "window_size_description").text}`
            : "",
        ],
        ["Host", last.at("server", "host").text],
        ["Version", one.at("resolved_in_version").text],
      ]),
    );
  };

export default sender({
  name: "rollbar",
  title: "Rollbar",
  setup: { where: "the project: Settings, Notifications, Webhook", field: "URL" },
  eventOf: ({ payload }) => firstOf(payload.at("event_name").text, "unknown"),
  events: {
    new_item: item("🐞 New:"),
    reactivated_item: item("🐞 Again:"),
    reopened_item: item("🐞 Reopened:"),
    resolved_item: item("✅ Resolved:"),
    exp_repeat_item: item("🐞 Often:"),
    item_velocity: item("🔥 Very often:"),
    occurrence: item("🐞 Once more:"),
    deploy: (payload) => {
      const where = payload.at("data", "deploy", "environment").text;
      return message("deploys", `Deployed${where === "" ? "" : ` to ${escapeText(where)}`}.`);
    },
    test: connected("Rollbar"),
    "*": plainEvent("Rollbar"),
  },
  quiet: ["occurrence"],
  sample: {
    headers: {},
    payload: { event_name: "new_item", data: { item: { title: "A test event", counter: 1 } } },
  },
});
