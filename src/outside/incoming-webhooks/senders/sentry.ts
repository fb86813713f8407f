// https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
import { topicOf } from "../forge.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, type Said, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, code, escapeText, link, quote, words } from "../wording.ts";

const who = (payload: PayloadValue) => firstOf(payload.at("actor", "name").text, "Sentry");

function toMessage(project: string, about: string, content: string): Said {
  return { topic: topicOf(firstOf(project, "Sentry"), about), content };
}

const issue: PayloadWording = (payload) => {
  const one = payload.at("data", "issue");
  const [title, project] = [one.at("title").text, one.at("project", "slug").text];
  const url = firstOf(one.at("web_url").text, one.at("permalink").text, one.at("url").text);
  const named = link(`${one.at("shortId").text} ${title}`, url);
  const action = payload.at("action").text;
  if (action === "created") {
    const where = one.at("culprit").text === "" ? "" : ` in ${code(one.at("culprit").text)}`;
    return toMessage(
      project,
      title,
      `🐞 New ${escapeText(firstOf(one.at("level").text, "issue"))} ${named}${where}.`,
    );
  }
  const person = firstOf(one.at("assignedTo", "name").text, one.at("assignedTo", "email").text);
  const to = action === "assigned" && person !== "" ? ` to ${bold(person)}` : "";
  const mark = action === "resolved" ? "✅ " : "";
  return toMessage(project, title, `${mark}${bold(who(payload))} ${verbOf(action)} ${named}${to}.`);
};

function verbOf(action: string): string {
  return action === "unresolved" ? "reopened" : firstOf(words(action), "changed");
}

/** The event in the data of an alert or an error. */
function eventLine(one: PayloadValue): string {
  const where = firstOf(one.at("culprit").text, one.at("location").text);
  const level = escapeText(firstOf(one.at("level").text, "error"));
  const named = link(
    firstOf(one.at("title").text, one.at("message").text, "Event"),
    firstOf(one.at("web_url").text, one.at("issue_url").text),
  );
  return `${level}: ${named}${where === "" ? "" : ` in ${code(where)}`}`;
}

const error: PayloadWording = (payload) => {
  const one = payload.at("data", "error");
  return toMessage(projectOf(one), one.at("title").text, `🐞 ${eventLine(one)}`);
};

/** The project's name from a tag, because its field has only a number. */
function projectOf(one: PayloadValue): string {
  return firstOf(one.at("project_slug").text, one.at("project", "slug").text, one.at("project_name").text);
}

const eventAlert: PayloadWording = (payload) => {
  const one = payload.at("data", "event");
  const rule = firstOf(
    payload.at("data", "triggered_rule").text,
    payload.at("data", "issue_alert", "title").text,
  );
  return toMessage(projectOf(one), one.at("title").text, `🔔 ${bold(rule)}: ${eventLine(one)}`);
};

const metricAlert: PayloadWording = (payload) => {
  const data = payload.at("data");
  const action = payload.at("action").text;
  const marks: Readonly<Record<string, string>> = { resolved: "✅ ", critical: "🔥 ", warning: "⚠ " };
  const title = firstOf(data.at("description_title").text, data.at("metric_alert", "title").text, "Alert");
  const named = link(title, data.at("web_url").text);
  return toMessage(
    "",
    firstOf(data.at("metric_alert", "alert_rule", "name").text, title),
    `${valueIn(marks, action) ?? ""}${named}${quote(data.at("description_text").text)}`,
  );
};

const comment: PayloadWording = (payload) => {
  const data = payload.at("data");
  const text = payload.at("action").text === "deleted" ? "" : data.at("comment").text;
  const verbs: Readonly<Record<string, string>> = { created: "left", updated: "changed", deleted: "deleted" };
  const verb = valueIn(verbs, payload.at("action").text) ?? "changed";
  const number = data.at("issue_id").text;
  return toMessage(
    data.at("project_slug").text,
    `issue ${number}`,
    `${bold(who(payload))} ${verb} a comment on the issue ${escapeText(number)}.${quote(text)}`,
  );
};

const installation: PayloadWording = (payload) => {
  const how = payload.at("action").text === "deleted" ? "removed from" : "installed in";
  const where = payload.at("data", "installation", "organization", "slug").text;
  return toMessage("", "", `The integration was ${how} the organization ${bold(where)}.`);
};

/** Messages about what Sentry's assistant found or did. */
const seer: PayloadWording = (payload) => {
  const data = payload.at("data");
  const number = firstOf(data.at("group_id").text, data.at("issue_id").text);
  return toMessage(
    "",
    "",
    `Sentry's assistant, about the issue ${escapeText(number)}: ${escapeText(words(payload.at("action").text))}.`,
  );
};

/** The only event of the older plug-in. */
const legacy: PayloadWording = (payload) => {
  const one = payload.at("event");
  const title = firstOf(one.at("title").text, payload.at("message").text, "Event");
  const where = payload.at("culprit").text === "" ? "" : ` in ${code(payload.at("culprit").text)}`;
  const project = firstOf(payload.at("project_slug").text, payload.at("project").text);
  return toMessage(
    project,
    title,
    `🐞 ${escapeText(firstOf(payload.at("level").text, "error"))}: ${link(title, payload.at("url").text)}${where}`,
  );
};

export default sender({
  name: "sentry",
  title: "Sentry",
  setup: {
    where: "Settings, Custom Integrations, Create New Integration, Internal Integration",
    field: "Webhook URL",
  },
  eventOf: ({ payload, header }) => {
    const resource = header("sentry-hook-resource");
    if (resource === "") return payload.at("event").isThere ? "plugin" : "unknown";
    return [resource, payload.at("action").text].filter(Boolean).join(".");
  },
  isSigned: ({ body, header }, secret) => isHmac(header("sentry-hook-signature"), { body, secret }),
  events: {
    issue,
    error,
    event_alert: eventAlert,
    metric_alert: metricAlert,
    comment,
    installation,
    seer,
    plugin: legacy,
  },
  quiet: ["comment.updated", "comment.deleted", "seer.*", "error.*"],
  sample: {
    headers: { "sentry-hook-resource": "issue" },
    payload: {
      action: "created",
      data: {
        issue: { shortId: "EXAMPLE-1", title: "A test event", level: "info", project: { slug: "example" } },
      },
    },
  },
});
