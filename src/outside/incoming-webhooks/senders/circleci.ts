// https://circleci.com/docs/reference/webhooks-reference/
import { topicOf } from "../forge.ts";
import { connected, markOf, message } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isAnyHmac, valuesIn } from "../signing.ts";
import { bold, code, escapeText, link } from "../wording.ts";

/** What was built: GitLab and the app of GitHub name it in the trigger's parameters. */
function sourceOf(pipeline: PayloadValue) {
  const [vcs, trigger] = [pipeline.at("vcs"), pipeline.at("trigger_parameters")];
  const revision = firstOf(vcs.at("revision").text, trigger.at("git", "checkout_sha").text);
  const site = vcs.at("target_repository_url").text;
  const part = site.includes("bitbucket") ? "commits" : "commit";
  return {
    branch: firstOf(
      vcs.at("branch").text,
      vcs.at("tag").text,
      trigger.at("git", "branch").text,
      trigger.at("git", "tag").text,
    ),
    commit:
      revision === "" ? "" : link(revision.slice(0, 8), site === "" ? "" : `${site}/${part}/${revision}`),
    subject: firstOf(vcs.at("commit", "subject").text, trigger.at("gitlab", "commit_title").text),
    author: firstOf(vcs.at("commit", "author", "name").text, trigger.at("gitlab", "commit_author_name").text),
  };
}

const completed =
  (field: "workflow" | "job", what: string): PayloadWording =>
  (payload) => {
    const one = payload.at(field);
    const project = firstOf(payload.at("project", "name").text, "CircleCI");
    const { branch, commit, subject, author } = sourceOf(payload.at("pipeline"));
    const status = firstOf(one.at("status").text, "completed");
    const named = link(firstOf(one.at("name").text, what), payload.at("workflow", "url").text);
    const on = branch === "" ? "" : ` on ${code(branch)}`;
    const by = author === "" ? "" : ` by ${bold(author)}`;
    return message(
      topicOf(project, branch),
      `${markOf(status)}${what} ${named}${on}: ${escapeText(status)}.`,
      commit === "" ? "" : `${commit} ${escapeText(subject)}${by}`,
    );
  };

export default sender({
  name: "circleci",
  title: "CircleCI",
  setup: { where: "the project: Project Settings, Webhooks, Add Webhook", field: "Receiver URL" },
  deliveryOf: ({ payload }) => payload.at("id").text,
  eventOf: ({ payload, header }) =>
    firstOf(header("circleci-event-type"), payload.at("type").text, "unknown"),
  isSigned: ({ body, header }, secret) =>
    isAnyHmac(valuesIn(header("circleci-signature"), "v1"), { body, secret }),
  events: {
    "workflow-completed": completed("workflow", "Workflow"),
    "job-completed": completed("job", "Job"),
    ping: connected("CircleCI"),
  },
  quiet: ["job-completed"],
  sample: {
    headers: {},
    payload: {
      type: "workflow-completed",
      workflow: { name: "a test event", status: "success" },
      project: { name: "example" },
    },
  },
});
