// https://support.atlassian.com/opsgenie/docs/integrate-opsgenie-with-webhook/
import { facts, markOf, message } from "../parts.ts";
import { firstOf, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, inPath, link, quote, words } from "../wording.ts";

const verbs: Readonly<Record<string, string>> = {
  Create: "created",
  Acknowledge: "acknowledged",
  UnAcknowledge: "no longer acknowledges",
  Close: "closed",
  Delete: "deleted",
  AddNote: "added a note to",
  AssignOwnership: "assigned",
  TakeOwnership: "took",
  Escalate: "escalated",
  AddTags: "added tags to",
  RemoveTags: "removed tags from",
  AddTeam: "added a team to",
  AddRecipient: "added a recipient to",
};

const alert: PayloadWording = (payload) => {
  const one = payload.at("alert");
  const action = payload.at("action").text;
  const number = one.at("alertId").text;
  const title = firstOf(
    one.at("message").text,
    one.at("alias").text,
    `alert ${one.at("tinyId").text}`.trim(),
  );
  const url = number === "" ? "" : `https://app.opsgenie.com/alert/detail/${inPath(number)}/details`;
  const verb = valueIn(verbs, action) ?? `${firstOf(words(action), "changed")}:`;
  const mark = action === "Create" ? "🔥 " : markOf(action === "Close" ? "closed" : "");
  const priority = one.at("priority").text;
  return message(
    title,
    `${mark}${bold(firstOf(one.at("username").text, "Opsgenie"))} ${verb} the alert ${link(title, url)}.`,
    facts([
      ["Priority", /^\d$/.test(priority) ? `P${priority}` : priority],
      ["Owner", one.at("owner").text],
      ["Escalation", payload.at("escalationName").text],
      ["To", payload.at("escalationNotify", "name").text],
      ["Tags", firstOf(one.at("addedTags").text, one.at("removedTags").text)],
      ["Team", one.at("team").text],
      ["Recipient", one.at("recipient").text],
    ]),
    quote(firstOf(one.at("note").text, action === "Create" ? one.at("description").text : "")),
  );
};

export default sender({
  name: "opsgenie",
  title: "Opsgenie",
  setup: { where: "Settings, Integrations, Add integration, Webhook", field: "Webhook URL" },
  eventOf: ({ payload }) => firstOf(payload.at("action").text, "unknown"),
  events: {
    ...Object.fromEntries(Object.keys(verbs).map((action) => [action, alert])),
    "*": (payload, call, event) => (payload.at("alert").isThere ? alert(payload, call, event) : null),
  },
  quiet: ["AddTags", "RemoveTags", "AddTeam", "AddRecipient"],
  sample: { headers: {}, payload: { action: "Create", alert: { message: "A test event", priority: "P5" } } },
});
