// https://developer.atlassian.com/server/jira/platform/webhooks/
import { sentence } from "../forge.ts";
import { message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, escapeText, inPath, link } from "../wording.ts";

const who = (payload: PayloadValue) =>
  firstOf(
    payload.at("user", "displayName").text,
    payload.at("comment", "author", "displayName").text,
    payload.at("comment", "updateAuthor", "displayName").text,
  );

/** The page of an issue, from the address that programs use. */
function pageOf(issue: PayloadValue): string {
  const [site, rest] = issue.at("self").text.split("/rest/api/");
  const key = issue.at("key").text;
  return rest === undefined || key === "" ? "" : `${site}/browse/${inPath(key)}`;
}

function thing(payload: PayloadValue) {
  const issue = payload.at("issue");
  // Old versions leave the issue out of a comment: its number is in the comment's address.
  const number = /\/issue\/(\d{1,15})\//.exec(payload.at("comment", "self").text.slice(0, 1_000))?.[1];
  const key = firstOf(issue.at("key").text, number === undefined ? "" : `number ${number}`, "without a key");
  const summary = issue.at("fields", "summary").text;
  const topic = summary === "" ? key : `${key}: ${summary}`;
  const kind = firstOf(issue.at("fields", "issuetype", "name").text, "issue").toLowerCase();
  return { issue, topic, named: `${escapeText(kind)} ${link(topic, pageOf(issue))}` };
}

/** The wiki markup of Jira as Markdown, as far as people use it most. */
function markdownOf(wiki: string): string {
  return wiki
    .slice(0, 5_000)
    .replaceAll("\r\n", "\n")
    .replaceAll(/\{(?:code(?::[\w-]{1,20})?|noformat)\}/g, "\n```\n")
    .replaceAll(/\{\{([^{}\n]+)\}\}/g, "`$1`")
    .replaceAll(/\{(?:quote|color[^{}\n]{0,40})\}/g, "")
    .replaceAll(/\[~(?:accountid:)?([^\]\n]{1,100})\]/g, "$1")
    .replaceAll(/\[([^|[\]\n]{1,300})\|(https?:[^\]\s|]{1,1000})(?:\|[^\]\n]{0,50})?\]/g, "[$1]($2)")
    .replaceAll(/^h[1-6]\. (.*)$/gm, "**$1**")
    .replaceAll(/^# /gm, "1. ")
    .replaceAll(/(^|[\s(])\*([^*\s][^*\n]*)\*(?=[\s).,;:!?]|$)/gm, "$1**$2**");
}

/** Changes that say nothing by themselves. */
const silent = new Set([
  "rank",
  "sprint",
  "timespent",
  "timeestimate",
  "worklogid",
  "remoteissuelink",
  "link",
  "attachment",
  "comment",
]);

function describeChange(item: PayloadValue, isDone: boolean): string {
  const [from, to] = [item.at("fromString").text, item.at("toString").text];
  const field = item.at("field").text.toLowerCase();
  if (field === "status") return `moved it from ${bold(from)} to ${bold(to)}${isDone ? " ✅" : ""}`;
  if (field === "assignee") return to === "" ? "unassigned it" : `assigned it to ${bold(to)}`;
  if (field === "description") return "changed the description";
  const name = escapeText(firstOf(item.at("field").text, "a field"), 60);
  if (to === "") return `removed the ${name}`;
  return from === ""
    ? `set the ${name} to ${bold(to)}`
    : `changed the ${name} from ${bold(from)} to ${bold(to)}`;
}

const updated: PayloadWording = (payload) => {
  const { issue, topic, named } = thing(payload);
  const { list } = payload.at("changelog", "items");
  const told = list.filter((item) => !silent.has(item.at("field").text.toLowerCase()));
  // The comment itself comes as an event of its own.
  if (told.length === 0) return null;
  const isDone = issue.at("fields", "status", "statusCategory", "key").text === "done";
  const changes = told.slice(0, 10).map((item) => describeChange(item, isDone));
  const head = `${bold(who(payload))} changed ${named}`;
  if (changes.length === 1) return message(topic, `${head}: ${changes[0]}.`);
  return message(topic, `${head}:`, changes.map((change) => `* ${change}`).join("\n"));
};

const comment: PayloadWording = (payload, _, event) => {
  const { issue, topic, named } = thing(payload);
  const one = payload.at("comment");
  const page = pageOf(issue);
  const number = one.at("id").text;
  const linked = link("a comment", page && number ? `${page}?focusedCommentId=${inPath(number)}` : "");
  const verbs: Readonly<Record<string, string>> = { comment_updated: "changed", comment_deleted: "deleted" };
  const verb = valueIn(verbs, event) ?? "left";
  const text = verb === "deleted" ? "" : markdownOf(one.at("body").text);
  return message(topic, sentence(who(payload), `${verb} ${linked} on ${named}`, text));
};

const simple =
  (verb: string): PayloadWording =>
  (payload) => {
    const { issue, topic, named } = thing(payload);
    const text = verb === "created" ? markdownOf(issue.at("fields", "description").text) : "";
    return message(topic, sentence(who(payload), `${verb} ${named}`, text));
  };

export default sender({
  name: "jira",
  title: "Jira",
  setup: { where: "the gear, System, WebHooks, Create a WebHook", field: "URL" },
  deliveryOf: ({ header }) => header("x-atlassian-webhook-identifier"),
  eventOf: ({ payload }) => {
    const event = payload.at("webhookEvent").text.replace(/^jira:/, "");
    if (event !== "") return event;
    return payload.at("transition").isThere && payload.at("issue").isThere ? "transition" : "unknown";
  },
  isSigned: ({ body, header }, secret) =>
    isHmac(header("x-hub-signature"), { body, secret, prefix: "sha256=" }),
  events: {
    issue_created: simple("created"),
    issue_deleted: simple("deleted"),
    issue_updated: updated,
    comment_created: comment,
    comment_updated: comment,
    comment_deleted: comment,
    transition: (payload) => {
      const { topic, named } = thing(payload);
      const change = payload.at("transition");
      const [from, to] = [change.at("from_status").text, change.at("to_status").text];
      return message(
        topic,
        `${bold(who(payload))} moved ${named} from ${bold(firstOf(from, "?"))} to ${bold(firstOf(to, "?"))}.`,
      );
    },
    "*": plainEvent("Jira"),
  },
  quiet: ["comment_updated", "comment_deleted"],
  sample: {
    headers: {},
    payload: {
      webhookEvent: "jira:issue_created",
      user: { displayName: "Confab" },
      issue: { key: "TEST-1", fields: { summary: "A test event", issuetype: { name: "Task" } } },
    },
  },
});
