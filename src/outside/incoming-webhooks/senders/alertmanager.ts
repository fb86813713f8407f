// https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
import { countText } from "@/kernel/lib/wording.ts";
import { alertLine, outcome, sampleAlert } from "../alerts.ts";
import { firstOf } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { link } from "../wording.ts";

const maxAlerts = 20;

const describeAlerts: PayloadWording = (payload) => {
  const alerts = payload.at("alerts").list;
  const left = alerts.length - maxAlerts + payload.at("truncatedAlerts").number;
  const name = firstOf(
    payload.at("commonLabels", "alertname").text,
    payload.at("groupLabels", "alertname").text,
    alerts[0]?.at("labels", "alertname").text ?? "",
    "Alerts",
  );
  const lines = alerts.slice(0, maxAlerts).map(alertLine);
  if (left > 0) lines.push(`* … and ${left} more`);
  const where = payload.at("externalURL").text;
  const head = `${outcome(payload.at("status").text)} ${link(name, where)}: ${countText(alerts.length, "alert")}`;
  return { topic: name, content: lines.length > 0 ? `${head}\n\n${lines.join("\n")}` : `${head}.` };
};

export default sender({
  name: "alertmanager",
  title: "Prometheus Alertmanager",
  setup: { where: "the configuration, at a receiver: an entry in “webhook_configs”", field: "url" },
  eventOf: ({ payload }) => firstOf(payload.at("status").text, "unknown"),
  events: { firing: describeAlerts, resolved: describeAlerts },
  quiet: [],
  sample: sampleAlert("Alertmanager"),
});
