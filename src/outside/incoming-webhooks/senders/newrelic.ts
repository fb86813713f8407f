// https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/
import { facts, message } from "../parts.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, link } from "../wording.ts";

/** A list, or what a changed template makes of it. */
const first = (one: PayloadValue) => firstOf(one.at(0).text, one.text);
const all = (one: PayloadValue) =>
  firstOf(
    one.list
      .slice(0, 10)
      .map(({ text }) => text)
      .filter(Boolean)
      .join(", "),
    one.text,
  );
const ownerOf = (payload: PayloadValue) => {
  const owner = payload.at("owner").text;
  return owner === "N/A" ? "" : owner;
};

const heads: Readonly<Record<string, string>> = {
  created: "🔔 **Created**",
  activated: "🔥 **Active**",
  acknowledged: "👀 **Acknowledged**",
  closed: "✅ **Closed**",
  deactivated: "✅ **Not active**",
};

const issue: PayloadWording = (payload, _, event) => {
  const title = firstOf(first(payload.at("title")), "an issue");
  const by = event === "acknowledged" && ownerOf(payload) !== "" ? ` by ${bold(ownerOf(payload))}` : "";
  return message(
    firstOf(first(payload.at("alertPolicyNames")), first(payload.at("alertConditionNames")), title),
    `${valueIn(heads, event) ?? bold(event)}${by}: ${link(title, payload.at("issueUrl").text)}`,
    facts([
      ["Priority", payload.at("priority").text],
      ["Entities", all(payload.at("impactedEntities"))],
      ["Condition", all(payload.at("alertConditionNames"))],
      ["Incidents", payload.at("totalIncidents").number > 1 ? payload.at("totalIncidents").text : ""],
    ]),
  );
};

export default sender({
  name: "newrelic",
  title: "New Relic",
  setup: {
    where: "Alerts, Destinations, Webhook; then Alerts, Workflows, Notify, Webhook",
    field: "Endpoint URL",
  },
  eventOf: ({ payload }) => {
    const state = firstOf(payload.at("state").text, "unknown").toLowerCase();
    const isTaken = ownerOf(payload) !== "" || payload.at("trigger").text === "USER_ACTION";
    return state === "activated" && isTaken ? "acknowledged" : state;
  },
  events: { created: issue, activated: issue, acknowledged: issue, closed: issue, deactivated: issue },
  quiet: ["created"],
  sample: { headers: {}, payload: { state: "ACTIVATED", title: "A test event", priority: "LOW" } },
});
