// https://support.freshdesk.com/support/solutions/articles/132589-using-webhooks-in-automation-rules
import { facts, message, withoutTags } from "../parts.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, link, quote } from "../wording.ts";

const statuses: Readonly<Record<string, string>> = {
  "2": "Open",
  "3": "Pending",
  "4": "Resolved",
  "5": "Closed",
  "6": "Waiting on Customer",
  "7": "Waiting on Third Party",
};
const priorities: Readonly<Record<string, string>> = {
  "1": "Low",
  "2": "Medium",
  "3": "High",
  "4": "Urgent",
};

const ticket = (payload: PayloadValue) => payload.at("freshdesk_webhook");

/** What caused it, as the field, and the old and the new value: "{status:{from:4,to:6}}" is not JSON. */
function causeOf(payload: PayloadValue) {
  const text = ticket(payload).at("triggered_event").text.slice(0, 500);
  const change = /^\{(\w+):\{from:([^,}]*),to:([^}]*)\}\}$/.exec(text);
  if (change) return { field: change[1] ?? "", to: (change[3] ?? "").trim() };
  const simple = /^\{(\w+):([^{}]*)\}$/.exec(text);
  return { field: simple?.[1] ?? "", to: (simple?.[2] ?? "").trim() };
}

const say =
  (describe: (to: string, one: PayloadValue) => string): PayloadWording =>
  (payload) => {
    const one = ticket(payload);
    const title = `#${firstOf(one.at("ticket_id").text, "?")}: ${firstOf(one.at("ticket_subject").text, "a ticket")}`;
    const named = `Ticket ${link(title, one.at("ticket_url").text)}`;
    const { field, to } = causeOf(payload);
    const isNew = field === "ticket_action" && to === "created";
    return message(
      title,
      `${named} ${describe(to, one)}${isNew ? quote(withoutTags(one.at("ticket_description").text)) : ""}`,
      facts([
        ["Requested by", isNew ? one.at("requester_name").text : ""],
        ["Kind", isNew ? one.at("ticket_type").text : ""],
        ["Status", field === "status" ? "" : one.at("ticket_status").text],
        ["Priority", field === "priority" ? "" : one.at("ticket_priority").text],
      ]),
    );
  };

const fields = [
  ["triggered_event", "{{triggered_event}}"],
  ["ticket_id", "{{ticket.id}}"],
  ["ticket_url", "{{ticket.url}}"],
  ["ticket_type", "{{ticket.ticket_type}}"],
  ["ticket_subject", "{{ticket.subject}}"],
  ["ticket_description", "{{ticket.description}}"],
  ["ticket_status", "{{ticket.status}}"],
  ["ticket_priority", "{{ticket.priority}}"],
  ["requester_name", "{{ticket.requester.name}}"],
] as const;

export default sender({
  name: "freshdesk",
  title: "Freshdesk",
  setup: {
    where:
      "Admin, Workflows, Automations: a rule with the action “Trigger Webhook”, POST, JSON, and this as advanced content",
    field: "URL",
    paste: JSON.stringify({ freshdesk_webhook: Object.fromEntries(fields) }, null, 2),
  },
  eventOf: ({ payload }) => {
    const { field, to } = causeOf(payload);
    if (field === "ticket_action" || field === "note_type") return `${field}.${to}`;
    return firstOf(field, ticket(payload).isThere ? "ticket" : "", "unknown");
  },
  events: {
    ticket_action: say((to) => `was ${to === "created" ? "created" : bold(firstOf(to, "changed"))}.`),
    note_type: say(
      (to) => `has a new ${to === "private" ? "private " : to === "public" ? "public " : ""}note.`,
    ),
    status: say((to, one) => {
      const name = firstOf(valueIn(statuses, to) ?? "", one.at("ticket_status").text, to, "changed");
      return `is now ${bold(name)}${/^(Resolved|Closed)$/.test(name) ? " ✅" : ""}.`;
    }),
    priority: say((to, one) => {
      const name = firstOf(valueIn(priorities, to) ?? "", one.at("ticket_priority").text, to, "none");
      return `has the priority ${bold(name)}.`;
    }),
    ticket: say(() => "was changed."),
    "*": say(() => "was changed."),
  },
  quiet: [],
  sample: {
    headers: {},
    payload: {
      freshdesk_webhook: {
        triggered_event: "{ticket_action:created}",
        ticket_id: "1",
        ticket_subject: "A test event",
      },
    },
  },
});
