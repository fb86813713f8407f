// Texts for alerts of Alertmanager and Grafana.
import { firstOf, type PayloadValue, valueIn } from "./payload.ts";
import type { WebhookSender } from "./sender.ts";
import { bold, escapeText, link, webAddress } from "./wording.ts";

const marks: Readonly<Record<string, string>> = {
  firing: "🔥 **Firing**",
  alerting: "🔥 **Firing**",
  resolved: "✅ **Resolved**",
  ok: "✅ **Resolved**",
  no_data: "❓ **No data**",
  pending: "⏳ **Pending**",
  paused: "⏸ **Paused**",
};

export function outcome(status: string): string {
  return valueIn(marks, status) ?? bold(status);
}

/** One alert as a list item: its summary, then the labels and links that distinguish it. */
export function alertLine(alert: PayloadValue): string {
  const notes = alert.at("annotations");
  const summary = firstOf(
    notes.at("summary").text,
    notes.at("description").text,
    notes.at("message").text,
    alert.at("labels", "alertname").text,
    "Alert",
  );
  const labels = alert
    .at("labels")
    .fields.filter(([name]) => name !== "alertname" && !name.startsWith("__"))
    .slice(0, 10)
    .map(([name, value]) => `${escapeText(name, 60)}=${escapeText(value.text, 100)}`);
  const detail = notes.at("summary").text !== "" ? escapeText(notes.at("description").text, 500) : "";
  const values = escapeText(alert.at("valueString").text, 200);
  const links = [
    ["source", alert.at("generatorURL").text],
    ["dashboard", alert.at("dashboardURL").text],
    ["panel", alert.at("panelURL").text],
    ["runbook", notes.at("runbook_url").text],
    ["silence", alert.at("silenceURL").text],
  ] as const;
  const linked = links.filter(([, url]) => webAddress(url) !== null).map(([name, url]) => link(name, url));
  const rest = [detail, labels.join(", "), values, linked.join(" · ")].filter((part) => part !== "");
  const mark = alert.at("status").text === "resolved" ? "✅ " : "";
  return [`* ${mark}${escapeText(summary, 300)}`, ...rest.map((part) => `  ${part}`)].join("\n");
}

/** The sample event of a tool, by its name. */
export function sampleAlert(tool: string): WebhookSender["sample"] {
  const labels = { alertname: "Test event" };
  const annotations = { summary: `This bot gets the alerts of ${tool}.` };
  return {
    headers: {},
    payload: { status: "firing", commonLabels: labels, alerts: [{ status: "firing", labels, annotations }] },
  };
}
