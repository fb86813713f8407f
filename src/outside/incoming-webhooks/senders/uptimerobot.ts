// https://uptimerobot.com/integrations/webhook/
import { message } from "../parts.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { escapeText, link, quote } from "../wording.ts";

/** A value by its name in our template, or as the tool itself calls it; variables without a value stay as they are. */
function filled(payload: PayloadValue, name: string): string {
  const own = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const texts = [payload.at(name).text, payload.at(own).text];
  return firstOf(...texts.filter((text) => !/^\*\w+\*$/.test(text.trim())));
}

const kinds: Readonly<Record<string, string>> = { "1": "down", "2": "up", "3": "expiry" };
const heads: Readonly<Record<string, string>> = {
  down: "❌ **Down**",
  up: "✅ **Up**",
  expiry: "⚠ **Expires soon**",
};

const alert: PayloadWording = (payload, _, event) => {
  const name = firstOf(filled(payload, "monitor_friendly_name"), "A monitor");
  const given = firstOf(filled(payload, "monitor_url"), payload.at("monitorURL").text);
  const url = given === "" || given.includes("://") ? given : `http://${given}`;
  const lasted = filled(payload, "alert_friendly_duration");
  const after = event === "up" && lasted !== "" ? ` after ${escapeText(lasted)}` : "";
  return message(
    name,
    `${valueIn(heads, event) ?? "🔔"}: ${link(name, url)}${after}.${quote(filled(payload, "alert_details"))}`,
  );
};

const template = {
  monitor_url: "*monitorURL*",
  monitor_friendly_name: "*monitorFriendlyName*",
  alert_type: "*alertType*",
  alert_details: "*alertDetails*",
  alert_friendly_duration: "*alertFriendlyDuration*",
};

export default sender({
  name: "uptimerobot",
  title: "UptimeRobot",
  setup: {
    where: "Integrations & API, Webhook, with this as “POST value”, sent as JSON",
    field: "URL to notify",
    paste: JSON.stringify(template, null, 2),
  },
  form: { inQuery: true },
  eventOf: ({ payload }) => valueIn(kinds, filled(payload, "alert_type")) ?? "unknown",
  events: { down: alert, up: alert, expiry: alert },
  quiet: [],
  sample: { headers: {}, payload: { alert_type: "2", monitor_friendly_name: "A test event" } },
});
