// https://developer.zendesk.com/documentation/webhooks/
import { sentence } from "../forge.ts";
import { facts, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, type Said, sender } from "../sender.ts";
import { isHmac, isRecent } from "../signing.ts";
import { bold, escapeText, link, quote, words } from "../wording.ts";

const lower = (one: PayloadValue) => words(one.text).toLowerCase();

function ticket(payload: PayloadValue) {
  const detail = payload.at("detail");
  const number = firstOf(detail.at("id").text, "?");
  return { detail, title: `#${number}: ${firstOf(detail.at("subject").text, "a ticket")}` };
}

const about =
  (describe: (payload: PayloadValue) => string): PayloadWording =>
  (payload) => {
    const { title } = ticket(payload);
    return message(title, `Ticket ${bold(title)} ${describe(payload)}`);
  };

const created: PayloadWording = (payload) => {
  const { detail, title } = ticket(payload);
  return message(
    title,
    `New ticket ${bold(title)}.${quote(detail.at("description").text)}`,
    facts([
      ["Priority", lower(detail.at("priority"))],
      ["Kind", lower(detail.at("type"))],
    ]),
  );
};

const comment: PayloadWording = (payload) => {
  const { title } = ticket(payload);
  const one = payload.at("event", "comment");
  const how = one.at("is_public").value === false ? "left an internal note on" : "commented on";
  return message(
    title,
    sentence(one.at("author", "name").text, `${how} the ticket ${bold(title)}`, one.at("body").text),
  );
};

/** The body of a trigger, which people write themselves. */
function describeTrigger(payload: PayloadValue): Said {
  const read = (...names: string[]) => firstOf(...names.map((name) => payload.at(name).text));
  const title = `#${read("ticket_id") || "?"}: ${read("title", "ticket_title") || "a ticket"}`;
  const given = read("url");
  const url = given === "" || given.includes("://") ? given : `https://${given}`;
  const by = read("actor");
  return message(
    title,
    `${by === "" ? "" : `${bold(by)}: `}ticket ${link(title, url)}.${quote(read("comment", "message"))}`,
    facts([
      ["Status", read("status")],
      ["Priority", read("priority")],
      ["Requested by", read("requester")],
      ["Assigned to", read("assignee")],
    ]),
  );
}

const placeholders = {
  ticket_id: "{{ticket.id}}",
  title: "{{ticket.title}}",
  url: "{{ticket.link}}",
  status: "{{ticket.status}}",
  priority: "{{ticket.priority}}",
  requester: "{{ticket.requester.name}}",
  assignee: "{{ticket.assignee.name}}",
  actor: "{{current_user.name}}",
  comment: "{{ticket.latest_comment}}",
};

export default sender({
  name: "zendesk",
  title: "Zendesk",
  setup: {
    where: "Admin Center, Apps and integrations, Webhooks, Create webhook; a trigger may send this, too",
    field: "Endpoint URL",
    paste: JSON.stringify(placeholders, null, 2),
  },
  deliveryOf: ({ header }) => header("x-zendesk-webhook-invocation-id"),
  eventOf: ({ payload }) => {
    if (payload.at("ticket_id").isThere) return "trigger";
    return firstOf(payload.at("type").text.replace(/^zen:event-type:/, ""), "unknown");
  },
  isSigned: ({ body, header, now }, secret) => {
    const time = header("x-zendesk-webhook-signature-timestamp");
    const signed = { body: time + body, secret, encoding: "base64" } as const;
    return isRecent(Date.parse(time) / 1000, now) && isHmac(header("x-zendesk-webhook-signature"), signed);
  },
  events: {
    trigger: describeTrigger,
    "ticket.created": created,
    "ticket.comment_added": comment,
    "ticket.status_changed": about((payload) => {
      const to = words(payload.at("event", "current").text).toLowerCase();
      return `is ${escapeText(to) || "changed"}${/^(solved|closed)$/.test(to) ? " ✅" : ""}.`;
    }),
    "ticket.priority_changed": about(
      (payload) => `has the priority ${bold(lower(payload.at("event", "current")) || "none")}.`,
    ),
    "ticket.agent_assignment_changed": about((payload) =>
      /^0?$/.test(payload.at("event", "current").text) ? "was unassigned." : "was assigned.",
    ),
    "*": plainEvent("Zendesk"),
  },
  quiet: [],
  sample: {
    headers: {},
    payload: { type: "zen:event-type:ticket.created", detail: { id: "1", subject: "A test event" } },
  },
});
