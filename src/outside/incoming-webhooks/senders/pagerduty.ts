// https://developer.pagerduty.com/docs/webhooks-overview
import { connected, facts, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, type Said, sender } from "../sender.ts";
import { isAnyHmac, valuesIn } from "../signing.ts";
import { bold, link, quote, words } from "../wording.ts";

const marks: Readonly<Record<string, string>> = { triggered: "🔥 ", resolved: "✅ ", acknowledged: "👀 " };

const titleOf = (number: string, title: string) =>
  [number === "" ? "" : `#${number}`, title].filter(Boolean).join(" ") || "an incident";

/** "**Ada** acknowledged incident …"; without a person if it happened by itself. */
function happened(verb: string, who: string, named: string): string {
  return who === ""
    ? `${valueIn(marks, verb) ?? ""}Incident ${named}: ${verb}.`
    : `${valueIn(marks, verb) ?? ""}${bold(who)} ${verb} incident ${named}.`;
}

const verbs: Readonly<Record<string, string>> = {
  "incident.priority_updated": "changed the priority of",
};

const incident: PayloadWording = (payload, _, event) => {
  const [one, data] = [payload.at("event"), payload.at("event", "data")];
  const title = titleOf(data.at("number").text, data.at("title").text);
  const verb = valueIn(verbs, event) ?? firstOf(words(event.split(".").slice(1).join(" ")), "changed");
  const who = one.at("agent", "type").text === "service_reference" ? "" : one.at("agent", "summary").text;
  const names = data
    .at("assignees")
    .list.slice(0, 10)
    .map((person) => person.at("summary").text);
  return message(
    title,
    happened(verb, who, link(title, data.at("html_url").text)),
    facts([
      ["Service", data.at("service", "summary").text],
      ["Priority", data.at("priority", "summary").text],
      ["Urgency", data.at("urgency").text],
      ["Assigned to", names.filter(Boolean).join(", ")],
    ]),
  );
};

/** A note or an update of the status, which name the incident otherwise. */
const text =
  (what: string, field: string): PayloadWording =>
  (payload) => {
    const data = payload.at("event", "data");
    const title = firstOf(
      data.at("incident", "summary").text,
      `incident ${data.at("incident", "id").text}`.trim(),
    );
    const named = link(title, data.at("incident", "html_url").text);
    const who = bold(payload.at("event", "agent", "summary").text);
    return message(title, `${who} ${what} ${named}.${quote(data.at(field).text)}`);
  };

/** The older form, with several messages in one post. */
const old: PayloadWording = (payload): Said | null => {
  const all = payload.at("messages").list.slice(0, 20).map(describeOld);
  const [first] = all;
  return first ? { topic: first.topic, content: all.map(({ content }) => content).join("\n\n") } : null;
};

const oldVerbs: Readonly<Record<string, string>> = {
  trigger: "triggered",
  acknowledge: "acknowledged",
  unacknowledge: "unacknowledged",
  resolve: "resolved",
  assign: "assigned",
  escalate: "escalated",
  delegate: "delegated",
};

function describeOld(one: PayloadValue): Said {
  const about = one.at("incident");
  const title = titleOf(about.at("incident_number").text, about.at("title").text);
  const action = one.at("event").text.replace(/^incident\./, "");
  const verb = valueIn(oldVerbs, action) ?? firstOf(words(action), "changed");
  const who = one.at("log_entries", 0, "agent", "summary").text;
  return message(
    title,
    happened(verb, who, link(title, about.at("html_url").text)),
    facts([
      ["Service", about.at("service", "name").text],
      ["Assigned to", about.at("assignments", 0, "assignee", "summary").text],
    ]),
  );
}

export default sender({
  name: "pagerduty",
  title: "PagerDuty",
  setup: { where: "Integrations, Generic Webhooks (v3), New Webhook", field: "Webhook URL" },
  deliveryOf: ({ payload }) => payload.at("event", "id").text,
  eventOf: ({ payload }) =>
    payload.at("messages").isThere ? "messages" : firstOf(payload.at("event", "event_type").text, "unknown"),
  isSigned: ({ body, header }, secret) =>
    isAnyHmac(valuesIn(header("x-pagerduty-signature"), "v1"), { body, secret }),
  events: {
    "incident.triggered": incident,
    "incident.acknowledged": incident,
    "incident.unacknowledged": incident,
    "incident.resolved": incident,
    "incident.reopened": incident,
    "incident.escalated": incident,
    "incident.reassigned": incident,
    "incident.delegated": incident,
    "incident.priority_updated": incident,
    "incident.annotated": text("added a note to", "content"),
    "incident.status_update_published": text("published an update about", "message"),
    "pagey.ping": connected("PagerDuty"),
    messages: old,
    "*": plainEvent("PagerDuty"),
  },
  quiet: [],
  sample: {
    headers: {},
    payload: { event: { event_type: "incident.triggered", data: { number: 1, title: "A test event" } } },
  },
});
