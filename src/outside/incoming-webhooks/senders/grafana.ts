// https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
import { alertLine, outcome, sampleAlert } from "../alerts.ts";
import { firstOf } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { escapeText, link } from "../wording.ts";

const maxAlerts = 20;

/** Alerts of Grafana since version 9. */
const describeAlerts: PayloadWording = (payload) => {
  const alerts = payload.at("alerts").list;
  const name = firstOf(
    payload.at("commonLabels", "alertname").text,
    payload.at("groupLabels", "alertname").text,
    alerts[0]?.at("labels", "alertname").text ?? "",
    "Grafana",
  );
  const lines = alerts.slice(0, maxAlerts).map(alertLine);
  const left = alerts.length - maxAlerts + payload.at("truncatedAlerts").number;
  if (left > 0) lines.push(`* … and ${left} more`);
  const head = `${outcome(payload.at("status").text)} ${link(name, payload.at("externalURL").text)}`;
  return { topic: name, content: [head, lines.join("\n")].filter(Boolean).join("\n\n") };
};

/** Alerts of dashboards, before version 9. */
const legacy: PayloadWording = (payload) => {
  const name = firstOf(payload.at("ruleName").text, payload.at("title").text, "Grafana");
  const values = payload
    .at("evalMatches")
    .list.slice(0, maxAlerts)
    .map((match) => {
      return `* ${escapeText(match.at("metric").text)}: ${escapeText(match.at("value").text)}`;
    });
  const head = `${outcome(payload.at("state").text)} ${link(name, payload.at("ruleUrl").text)}`;
  const parts = [
    head,
    escapeText(payload.at("message").text, 500),
    values.join("\n"),
    payload.at("imageUrl").isThere ? link("Picture", payload.at("imageUrl").text) : "",
  ];
  return { topic: name, content: parts.filter((part) => part !== "").join("\n\n") };
};

export default sender({
  name: "grafana",
  title: "Grafana",
  setup: {
    where: "Alerting, Contact points, New contact point, with the integration “Webhook”",
    field: "URL",
  },
  eventOf: ({ payload }) =>
    payload.at("alerts").isThere
      ? firstOf(payload.at("status").text, "unknown")
      : `rule.${payload.at("state").text}`,
  isSigned: ({ body, header }, secret) => isHmac(header("x-grafana-alerting-signature"), { body, secret }),
  events: {
    firing: describeAlerts,
    resolved: describeAlerts,
    "rule.alerting": legacy,
    "rule.ok": legacy,
    "rule.no_data": legacy,
    "rule.pending": legacy,
    "rule.paused": legacy,
  },
  quiet: ["rule.pending", "rule.paused"],
  sample: sampleAlert("Grafana"),
});
