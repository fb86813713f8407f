// https://support.atlassian.com/statuspage/docs/enable-webhook-notifications/
import { facts, markOf, message } from "../parts.ts";
import { firstOf } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, escapeText, link, quote, words } from "../wording.ts";

const incident: PayloadWording = (payload) => {
  const one = payload.at("incident");
  const name = firstOf(one.at("name").text, "An incident");
  const status = one.at("status").text;
  const updates = one.at("incident_updates").list;
  const isNew = updates.length === 1;
  const mark = /^(resolved|completed|postmortem)$/.test(status)
    ? "✅ "
    : one.at("impact").text === "maintenance"
      ? "🔧 "
      : "🔥 ";
  const names = one
    .at("components")
    .list.slice(0, 20)
    .map((component) => component.at("name").text)
    .filter(Boolean);
  return message(
    name,
    `${mark}${isNew ? "New: " : ""}${link(name, one.at("shortlink").text)}: ${escapeText(words(status)) || "changed"}.${quote(updates[0]?.at("body").text ?? "")}`,
    facts([
      ["Impact", words(one.at("impact").text)],
      ["Concerns", names.join(", ")],
      ["From", one.at("scheduled_for").text],
      ["Until", one.at("scheduled_until").text],
    ]),
  );
};

const component: PayloadWording = (payload) => {
  const name = firstOf(payload.at("component", "name").text, "A component");
  const change = payload.at("component_update");
  const [from, to] = [change.at("old_status").text, change.at("new_status").text];
  const before = from === "" ? "" : ` (was: ${escapeText(words(from))})`;
  return message(name, `${markOf(to)}${bold(name)}: ${escapeText(words(to)) || "changed"}${before}.`);
};

export default sender({
  name: "statuspage",
  title: "Statuspage",
  setup: { where: "Subscribers, Add subscriber, Webhook", field: "Endpoint URL" },
  eventOf: ({ payload }) => {
    if (payload.at("incident").isThere) return "incident";
    return payload.at("component_update").isThere ? "component" : "unknown";
  },
  events: { incident, component },
  quiet: [],
  sample: { headers: {}, payload: { incident: { name: "A test event", status: "resolved" } } },
});
