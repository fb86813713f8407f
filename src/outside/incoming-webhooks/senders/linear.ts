// https://linear.app/developers/webhooks
import { sentence } from "../forge.ts";
import { facts, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac, isRecent } from "../signing.ts";
import { bold, link } from "../wording.ts";

const who = (payload: PayloadValue) =>
  firstOf(payload.at("actor", "name").text, payload.at("data", "user", "name").text);

function thing(payload: PayloadValue) {
  const data = payload.at("data");
  const team = data.at("team", "key").text;
  const number = data.at("number").text;
  const name = firstOf(data.at("identifier").text, team === "" || number === "" ? "" : `${team}-${number}`);
  const title = [name, data.at("title").text].filter(Boolean).join(" ") || "an issue";
  const kind = data.at("parentId").isThere ? "sub-issue" : "issue";
  return { data, title, named: `${kind} ${link(title, payload.at("url").text)}` };
}

const issueCreated: PayloadWording = (payload) => {
  const { data, title, named } = thing(payload);
  const priority = data.at("priority").number === 0 ? "" : data.at("priorityLabel").text;
  return message(
    title,
    sentence(who(payload), `created ${named}`, data.at("description").text),
    facts([
      ["State", data.at("state", "name").text],
      ["Priority", priority],
      ["Assigned to", data.at("assignee", "name").text],
      ["Project", data.at("project", "name").text],
    ]),
  );
};

/** What changed is what has an old value; the new one is in the issue. */
const changes: Readonly<Record<string, (data: PayloadValue) => string>> = {
  stateId: (data) =>
    `moved it to ${bold(data.at("state", "name").text || "another state")}${data.at("state", "type").text === "completed" ? " ✅" : ""}`,
  assigneeId: (data) => {
    const name = data.at("assignee", "name").text;
    return name === "" ? "unassigned it" : `assigned it to ${bold(name)}`;
  },
  priority: (data) => `set its priority to ${bold(data.at("priorityLabel").text || "none")}`,
  title: (data) => `renamed it to ${bold(data.at("title").text || "nothing")}`,
  teamId: (data) => `moved it to the team ${bold(data.at("team", "name").text || "without a name")}`,
  dueDate: (data) =>
    data.at("dueDate").isThere
      ? `set its due date to ${bold(data.at("dueDate").text || "another day")}`
      : "removed its due date",
  description: () => "changed its description",
};

const issueUpdated: PayloadWording = (payload) => {
  const { data, title, named } = thing(payload);
  const told = payload.at("updatedFrom").fields.flatMap(([field]) => {
    return Object.hasOwn(changes, field) ? [changes[field]?.(data) ?? ""] : [];
  });
  if (told.length === 0) return null;
  return message(title, sentence(who(payload), `changed ${named}: ${told.join(", ")}`));
};

const comment: PayloadWording = (payload) => {
  const data = payload.at("data");
  const title = firstOf(data.at("issue", "title").text, data.at("project", "name").text, "an issue");
  const identifier = data.at("issue", "identifier").text;
  const topic = identifier === "" ? title : `${identifier} ${title}`;
  return message(
    topic,
    sentence(who(payload), `commented on ${link(topic, payload.at("url").text)}`, data.at("body").text),
  );
};

const named =
  (verb: string): PayloadWording =>
  (payload) => {
    const data = payload.at("data");
    const name = firstOf(
      data.at("name").text,
      data.at("project", "name").text,
      data.at("initiative", "name").text,
      "Linear",
    );
    const text = firstOf(data.at("body").text, data.at("description").text);
    return message(name, sentence(who(payload), `${verb} ${link(name, payload.at("url").text)}`, text));
  };

export default sender({
  name: "linear",
  title: "Linear",
  setup: { where: "Settings, API, Webhooks, New webhook", field: "URL" },
  deliveryOf: ({ header }) => header("linear-delivery"),
  eventOf: ({ payload, header }) => {
    const type = firstOf(payload.at("type").text, header("linear-event"));
    return type === "" ? "unknown" : [type, payload.at("action").text].filter(Boolean).join(".");
  },
  isSigned: ({ payload, body, header, now }, secret) =>
    isRecent(payload.at("webhookTimestamp").number / 1000, now) &&
    isHmac(header("linear-signature"), { body, secret }),
  events: {
    "Issue.create": issueCreated,
    "Issue.update": issueUpdated,
    "Issue.remove": (payload) => {
      const { title, named } = thing(payload);
      return message(title, sentence(who(payload), `deleted ${named}`));
    },
    "IssueSLA.breached": (payload) => {
      const data = payload.at("issueData");
      const title =
        [data.at("identifier").text, data.at("title").text].filter(Boolean).join(" ") || "an issue";
      return message(
        title,
        `⚠ ${link(title, payload.at("url").text)} was not done in the time that was promised.`,
      );
    },
    "Comment.create": comment,
    "Project.create": named("created the project"),
    "ProjectUpdate.create": named("wrote an update of the project"),
    "InitiativeUpdate.create": named("wrote an update of the initiative"),
    "*": plainEvent("Linear"),
  },
  quiet: [],
  sample: {
    headers: {},
    payload: {
      type: "Issue",
      action: "create",
      actor: { name: "Confab" },
      data: { identifier: "TEST-1", title: "A test event" },
    },
  },
});
