// https://docs.datadoghq.com/integrations/webhooks/
import { facts, message } from "../parts.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { escapeText, link, quote } from "../wording.ts";

/** Variables without a value are "null". */
const filled = (payload: PayloadValue, name: string) => {
  const { text } = payload.at(name);
  return text === "null" || /^\$[A-Z_]+$/.test(text) ? "" : text;
};

/** The state before a title, such as "[Triggered on {host:web-1}] CPU". */
const stateBefore = /^\[([A-Za-z-]+(?: Data)?)[^\]]{0,300}\]\s*/;

function stateOf(payload: PayloadValue): string {
  const named = firstOf(
    filled(payload, "transition"),
    stateBefore.exec(payload.at("title").text.slice(0, 400))?.[1] ?? "",
  );
  return named.toLowerCase().replace(/^re-/, "").replace(" ", "_");
}

const heads: Readonly<Record<string, string>> = {
  triggered: "🔥 **Triggered**",
  renotify: "🔥 **Triggered, again**",
  recovered: "✅ **Recovered**",
  warn: "⚠ **Warning**",
  no_data: "❓ **No data**",
};

const alert: PayloadWording = (payload, _, event) => {
  const title = firstOf(payload.at("title").text.slice(0, 500).replace(stateBefore, ""), "an event");
  const text = firstOf(filled(payload, "text"), filled(payload, "body"))
    .slice(0, 5_000)
    .replaceAll(/^%%%\s*$/gm, "")
    .replaceAll(/@webhook-[\w-]{1,100}/g, "");
  const isSaid = text.trim() === title.trim();
  const address = filled(payload, "link");
  return message(
    title,
    `${valueIn(heads, event) ?? "🔔"} ${address === "" ? escapeText(title) : link(title, address)}${isSaid ? "" : quote(text)}`,
    facts([
      ["Scope", filled(payload, "scope")],
      ["Priority", filled(payload, "priority")],
    ]),
    filled(payload, "snapshot") === "" ? "" : link("Picture", filled(payload, "snapshot")),
  );
};

const variables = {
  title: "$EVENT_TITLE",
  text: "$TEXT_ONLY_MSG",
  transition: "$ALERT_TRANSITION",
  scope: "$ALERT_SCOPE",
  priority: "$ALERT_PRIORITY",
  link: "$LINK",
  snapshot: "$SNAPSHOT",
};

export default sender({
  name: "datadog",
  title: "Datadog",
  setup: {
    where: "Integrations, Webhooks, New, with this payload; then “@webhook-NAME” in the messages of monitors",
    field: "URL",
    paste: JSON.stringify(variables, null, 2),
  },
  eventOf: ({ payload }) => {
    const state = stateOf(payload);
    if (Object.hasOwn(heads, state)) return state;
    return payload.at("title").isThere ? "event" : "unknown";
  },
  events: { triggered: alert, renotify: alert, recovered: alert, warn: alert, no_data: alert, event: alert },
  quiet: [],
  sample: { headers: {}, payload: { title: "A test event", transition: "Recovered", scope: "host:test" } },
});
