// https://github.com/louislam/uptime-kuma/wiki/Notification-Methods
import { message } from "../parts.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, escapeText, link, quote } from "../wording.ts";

const states = ["down", "up", "pending", "maintenance"] as const;
const heads: Readonly<Record<string, string>> = {
  down: "❌ **Down**",
  up: "✅ **Up**",
  pending: "⏳ **Pending**",
  maintenance: "🔧 **Maintenance**",
};

/** Monitors without an address have only its beginning. */
const addressOf = (monitor: PayloadValue) => {
  const url = monitor.at("url").text;
  return /^https?:\/\/$/.test(url) ? "" : url;
};

const beat: PayloadWording = (payload, _, event) => {
  const [monitor, heartbeat] = [payload.at("monitor"), payload.at("heartbeat")];
  const name = firstOf(monitor.at("name").text, monitor.at("hostname").text, "A monitor");
  const ping = heartbeat.at("ping").text;
  const host = [monitor.at("hostname").text, monitor.at("port").text].filter(Boolean).join(":");
  const at = host === "" || host === name ? "" : ` at ${escapeText(host)}`;
  const took = ping === "" ? "" : ` (${escapeText(ping)} ms)`;
  return message(
    name,
    `${valueIn(heads, event) ?? bold(event)}: ${link(name, addressOf(monitor))}${at}${took}.${quote(heartbeat.at("msg").text)}`,
  );
};

const notice: PayloadWording = (payload) => {
  const text = payload.at("msg").text;
  const name = firstOf(payload.at("monitor", "name").text, "Uptime Kuma");
  return text.trim() === "" ? null : message(name, escapeText(text, 1_000));
};

export default sender({
  name: "uptime_kuma",
  title: "Uptime Kuma",
  setup: { where: "Settings, Notifications, Setup Notification, with the type “Webhook”", field: "Post URL" },
  form: { whole: "data", json: ["heartbeat", "monitor"], inQuery: true },
  eventOf: ({ payload }) => {
    const status = payload.at("heartbeat", "status");
    if (!payload.at("heartbeat").isThere) return payload.at("msg").isThere ? "notice" : "unknown";
    return states[Number(status.text || Number.NaN)] ?? "unknown";
  },
  events: { down: beat, up: beat, pending: beat, maintenance: beat, notice },
  quiet: ["pending", "maintenance"],
  sample: { headers: {}, payload: { heartbeat: { status: 1 }, monitor: { name: "A test event" }, msg: "" } },
});
