// https://docs.airbrake.io/docs/integrations/webhooks/
import { topicOf } from "../forge.ts";
import { facts, message } from "../parts.ts";
import { firstOf } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { code, link } from "../wording.ts";

const error: PayloadWording = (payload) => {
  const one = payload.at("error");
  const project = firstOf(one.at("project", "name").text, "Airbrake");
  const kind = firstOf(one.at("error_class").text, "Error");
  const file = one.at("file").text;
  const line = one.at("line_number").text;
  const where = file === "" ? "" : ` in ${code(line === "" ? file : `${file}:${line}`)}`;
  const title = [kind, one.at("error_message").text].filter(Boolean).join(": ");
  return message(
    topicOf(project, kind),
    `🐞 ${link(title, payload.at("airbrake_error_url").text)}${where}.`,
    facts([
      ["Environment", one.at("environment").text],
      ["Times", one.at("times_occurred").number > 1 ? one.at("times_occurred").text : ""],
      ["Address", one.at("last_notice", "request_url").text],
    ]),
  );
};

export default sender({
  name: "airbrake",
  title: "Airbrake",
  setup: { where: "the project: Settings, Integrations, Webhook", field: "URL" },
  eventOf: ({ payload }) => (payload.at("error").isThere ? "error" : "unknown"),
  events: { error },
  quiet: [],
  sample: {
    headers: {},
    payload: { error: { error_class: "TestEvent", error_message: "This bot gets the errors of Airbrake" } },
  },
});
