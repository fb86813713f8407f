// https://docs.gitlab.com/user/project/integrations/webhook_events/

import { isSame } from "@/foundation/secrets/secrets.ts";
import { branchOf, sentence, topicOf } from "@/outside/incoming-webhooks/forge.ts";
import { firstOf, type PayloadValue } from "@/outside/incoming-webhooks/payload.ts";
import { type PayloadWording, sender } from "@/outside/incoming-webhooks/sender.ts";
import {
  did,
  issue,
  mergeRequest,
  note,
  push,
  toMessage,
  verbs,
  who,
} from "@/outside/incoming-webhooks/senders/gitlab/work.ts";
import { bold, code, escapeText, link, quote, words } from "@/outside/incoming-webhooks/wording.ts";
import { valueIn } from "../payload.ts";

const marks: Readonly<Record<string, string>> = { success: "✅ ", failed: "❌ " };

const pipeline: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  const status = one.at("status").text;
  const named = link(`Pipeline #${one.at("id").text}`, one.at("url").text);
  const seconds = one.at("duration").number;
  const took = seconds > 0 ? ` after ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s` : "";
  const failed = payload.at("builds").list.filter((build) => build.at("status").text === "failed");
  const which = failed
    .slice(0, 10)
    .map((build) => `\n* ${escapeText(build.at("stage").text)}: ${escapeText(build.at("name").text)}`);
  const where = one.at("tag").isTrue ? "the tag " : "";
  const content = `${valueIn(marks, status) ?? ""}${named} on ${where}${code(one.at("ref").text)}: ${escapeText(words(status))}${took}.`;
  return toMessage(payload, which.length > 0 ? `${content}\n${which.join("")}` : content, one.at("ref").text);
};

const job: PayloadWording = (payload) => {
  const status = payload.at("build_status").text;
  const named = link(payload.at("build_name").text, jobUrl(payload));
  const branch = payload.at("ref").text;
  const stage = escapeText(payload.at("build_stage").text);
  const content = `${valueIn(marks, status) ?? ""}Job ${named} (${stage}) on ${code(branch)}: ${escapeText(words(status))}.`;
  return toMessage(payload, content, branch);
};

function jobUrl(payload: PayloadValue): string {
  const home = firstOf(payload.at("repository", "homepage").text, payload.at("project", "web_url").text);
  return home === "" ? "" : `${home}/-/jobs/${payload.at("build_id").text}`;
}

const wikiPage: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  return toMessage(
    payload,
    sentence(who(payload), `${did(payload)} the wiki page ${link(one.at("title").text, one.at("url").text)}`),
    "wiki",
  );
};

const deployment: PayloadWording = (payload) => {
  const status = payload.at("status").text;
  const to = payload.at("environment").text;
  const what = link(
    "The deployment",
    firstOf(payload.at("deployable_url").text, payload.at("environment_external_url").text),
  );
  return toMessage(
    payload,
    `${valueIn(marks, status) ?? ""}${what} to ${bold(to)} is now: ${escapeText(words(status))}.`,
    `deployments to ${to}`,
  );
};

const release: PayloadWording = (payload) => {
  const action = payload.at("action").text;
  const named = link(firstOf(payload.at("name").text, payload.at("tag").text), payload.at("url").text);
  const text = action === "create" ? payload.at("description").text : "";
  return toMessage(
    payload,
    `The release ${named} was ${valueIn(verbs, action) ?? "changed"}.${quote(text)}`,
    "releases",
  );
};

const featureFlag: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  const how = one.at("active").isTrue ? "on" : "off";
  return toMessage(
    payload,
    sentence(who(payload), `turned ${how} the feature flag ${code(one.at("name").text)}`),
    "feature flags",
  );
};

const emoji: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  const on = payload.at("issue").isThere ? payload.at("issue") : payload.at("merge_request");
  const how = payload.at("event_type").text === "revoke" ? "removed" : "added";
  const to = how === "added" ? "to" : "from";
  const named = link(firstOf(on.at("title").text, "a comment"), one.at("awarded_on_url").text);
  return toMessage(
    payload,
    sentence(who(payload), `${how} the reaction ${code(one.at("name").text)} ${to} ${named}`),
  );
};

const accessToken: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  return toMessage(
    payload,
    `⚠ The access token ${bold(one.at("name").text)} expires on ${escapeText(one.at("expires_at").text)}.`,
    "access tokens",
  );
};

const member: PayloadWording = (payload) => {
  const [person, group] = [bold(payload.at("user_name").text), bold(payload.at("group_name").text)];
  const level = escapeText(payload.at("group_access").text);
  switch (payload.at("event_name").text) {
    case "user_add_to_group":
      return toMessage(payload, `${person} joined the group ${group} as ${level}.`);
    case "user_update_for_group":
      return toMessage(payload, `${person} is now ${level} in the group ${group}.`);
    case "user_remove_from_group":
      return toMessage(payload, `${person} left the group ${group}.`);
    case "user_access_request_to_group":
      return toMessage(payload, `${person} asks to join the group ${group}.`);
    default:
      return toMessage(payload, `The request of ${person} to join the group ${group} was refused.`);
  }
};

const subgroup: PayloadWording = (payload) => {
  const how = payload.at("event_name").text === "subgroup_destroy" ? "deleted" : "created";
  return toMessage(payload, `The subgroup ${bold(payload.at("name").text)} was ${how}.`);
};

const project: PayloadWording = (payload) => {
  const how = payload.at("event_name").text === "project_destroy" ? "deleted" : "created";
  return toMessage(payload, `The project ${bold(payload.at("name").text)} was ${how}.`);
};

const milestone: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  return toMessage(
    payload,
    `The milestone ${bold(one.at("title").text)} was ${valueIn(verbs, payload.at("action").text) ?? "changed"}.`,
  );
};

const vulnerability: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  const named = link(one.at("title").text, one.at("url").text);
  return toMessage(
    payload,
    `⚠ The vulnerability ${named} (${escapeText(one.at("severity").text)}) is ${escapeText(words(one.at("state").text))}.`,
    "security",
  );
};

const tagPush: PayloadWording = (payload, ...rest) => {
  const given = push(payload, ...rest);
  return (
    given && {
      ...given,
      topic: topicOf(firstOf(payload.at("project", "name").text, "GitLab"), branchOf(payload.at("ref").text)),
    }
  );
};

export default sender({
  name: "gitlab",
  title: "GitLab",
  setup: { where: "the project or group: Settings, Webhooks, Add new webhook", field: "URL" },
  /** The object_kind, followed by the action or a pipeline's status. */
  eventOf: ({ payload }) => {
    const kind = firstOf(payload.at("object_kind").text, payload.at("event_name").text);
    const one = payload.at("object_attributes");
    const action = firstOf(one.at("action").text, payload.at("action").text);
    const status = firstOf(payload.at("build_status").text, payload.at("status").text, one.at("status").text);
    const what = kind === "pipeline" || kind === "build" || kind === "deployment" ? status : action;
    const isSilentUpdate = kind === "merge_request" && action === "update" && one.at("oldrev").isThere;
    return [kind, isSilentUpdate ? "push" : what].filter(Boolean).join(".");
  },
  isSigned: ({ header }, secret) => isSame(header("x-gitlab-token"), secret),
  events: {
    push,
    tag_push: tagPush,
    issue,
    work_item: issue,
    note,
    merge_request: mergeRequest,
    wiki_page: wikiPage,
    pipeline,
    build: job,
    deployment,
    feature_flag: featureFlag,
    release,
    milestone,
    emoji,
    access_token: accessToken,
    vulnerability,
    user_add_to_group: member,
    user_update_for_group: member,
    user_remove_from_group: member,
    user_access_request_to_group: member,
    user_access_request_denied_for_group: member,
    subgroup_create: subgroup,
    subgroup_destroy: subgroup,
    project_create: project,
    project_destroy: project,
  },
  quiet: [
    ...[
      "issue.update",
      "work_item.update",
      "merge_request.update",
      "merge_request.push",
      "emoji.*",
      "wiki_page.update",
    ],
    ...[
      "pipeline.created",
      "pipeline.pending",
      "pipeline.running",
      "pipeline.preparing",
      "pipeline.waiting_for_resource",
    ],
    ...[
      "pipeline.skipped",
      "pipeline.manual",
      "build.*",
      "deployment.running",
      "deployment.created",
      "release.update",
    ],
  ],
  sample: {
    headers: {},
    payload: {
      object_kind: "issue",
      user: { name: "Confab" },
      project: { name: "example" },
      object_attributes: {
        iid: 1,
        title: "A test event",
        description: "This bot gets the events of GitLab.",
        action: "open",
      },
    },
  },
});
