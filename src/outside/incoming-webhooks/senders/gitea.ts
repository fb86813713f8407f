// https://docs.gitea.com/usage/repository/webhooks; Forgejo sends the same.
import { commitsIn, describePush, linkNumbered, sentence, topicOf } from "../forge.ts";
import { firstOf, type PayloadValue, valueIn } from "../payload.ts";
import { type PayloadWording, type Said, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, code, escapeText, link, words } from "../wording.ts";

const who = (payload: PayloadValue) =>
  firstOf(
    payload.at("sender", "login").text,
    payload.at("sender", "username").text,
    payload.at("pusher", "login").text,
  );
const action = (payload: PayloadValue) => firstOf(words(payload.at("action").text), "changed");

function toMessage(payload: PayloadValue, content: string, about = ""): Said {
  return { topic: topicOf(firstOf(payload.at("repository", "name").text, "Gitea"), about), content };
}

function thing(payload: PayloadValue, kind: string, field: string) {
  const one = payload.at(field);
  const [number, title] = [firstOf(one.at("number").text, payload.at("number").text), one.at("title").text];
  return {
    one,
    named: linkNumbered(kind, { number, title, url: one.at("html_url").text }),
    about: `#${number} ${title}`,
  };
}

const push: PayloadWording = (payload) =>
  describePush({
    who: who(payload),
    ref: payload.at("ref").text,
    repository: firstOf(payload.at("repository", "name").text, "Gitea"),
    compareUrl: payload.at("compare_url").text,
    commits: commitsIn(payload).toReversed(),
    total: payload.at("total_commits").number,
    before: payload.at("before").text,
    after: payload.at("after").text,
  });

const issue: PayloadWording = (payload) => {
  const { one, named, about } = thing(payload, "issue", "issue");
  return toMessage(
    payload,
    sentence(
      who(payload),
      `${verbOf(payload)} ${named}`,
      payload.at("action").text === "opened" ? one.at("body").text : "",
    ),
    about,
  );
};

const verbs: Readonly<Record<string, string>> = {
  label_updated: "changed the labels of",
  label_cleared: "removed all labels from",
  synchronized: "pushed to",
  milestoned: "added to a milestone:",
  demilestoned: "removed from its milestone:",
  review_requested: "asked for a review of",
  review_request_removed: "no longer asks for a review of",
  pull_request_review_approved: "approved",
  pull_request_review_rejected: "requested changes to",
  pull_request_review_comment: "reviewed",
};

const verbOf = (payload: PayloadValue) => valueIn(verbs, payload.at("action").text) ?? action(payload);

const pullRequest: PayloadWording = (payload) => {
  const { one, named, about } = thing(payload, "pull request", "pull_request");
  const did = payload.at("action").text;
  const base = code(one.at("base", "ref").text);
  if (did === "opened") {
    return toMessage(
      payload,
      sentence(
        who(payload),
        `opened ${named} from ${code(one.at("head", "ref").text)} into ${base}`,
        one.at("body").text,
      ),
      about,
    );
  }
  if (did === "closed") {
    return toMessage(
      payload,
      sentence(
        who(payload),
        one.at("merged").isTrue ? `merged ${named} into ${base}` : `closed ${named} without merging it`,
      ),
      about,
    );
  }
  return toMessage(payload, sentence(who(payload), `${verbOf(payload)} ${named}`), about);
};

const review =
  (verdict: string): PayloadWording =>
  (payload) => {
    const { named, about } = thing(payload, "pull request", "pull_request");
    return toMessage(
      payload,
      sentence(who(payload), `${verdict} ${named}`, payload.at("review", "content").text),
      about,
    );
  };

const comment: PayloadWording = (payload) => {
  const isRequest = payload.at("is_pull").isTrue || payload.at("pull_request").isThere;
  const field = payload.at("issue").isThere ? "issue" : "pull_request";
  const { named, about } = thing(payload, isRequest ? "pull request" : "issue", field);
  const one = payload.at("comment");
  const did = payload.at("action").text;
  const verb = did === "created" ? "left" : action(payload);
  const on = `${link("a comment", one.at("html_url").text)} on ${named}`;
  return toMessage(
    payload,
    sentence(who(payload), `${verb} ${on}`, did === "deleted" ? "" : one.at("body").text),
    about,
  );
};

const reference =
  (how: string): PayloadWording =>
  (payload) => {
    const [kind, name] = [escapeText(payload.at("ref_type").text), payload.at("ref").text];
    return toMessage(payload, sentence(who(payload), `${how} the ${kind} ${code(name)}`), name);
  };

const release: PayloadWording = (payload) => {
  const one = payload.at("release");
  const named = link(firstOf(one.at("name").text, one.at("tag_name").text), one.at("html_url").text);
  const text = payload.at("action").text === "published" ? one.at("body").text : "";
  return toMessage(
    payload,
    sentence(who(payload), `${action(payload)} the release ${named}`, text),
    "releases",
  );
};

const run =
  (field: string, what: string): PayloadWording =>
  (payload) => {
    const one = payload.at(field);
    const outcome = firstOf(one.at("conclusion").text, one.at("status").text);
    const mark = outcome === "success" ? "✅ " : outcome === "failure" ? "❌ " : "";
    const branch = one.at("head_branch").text;
    const named = link(
      firstOf(one.at("display_title").text, one.at("name").text, what),
      one.at("html_url").text,
    );
    const on = branch === "" ? "" : ` on ${code(branch)}`;
    return toMessage(payload, `${mark}${what} ${named}${on}: ${escapeText(words(outcome))}.`, branch);
  };

export default sender({
  name: "gitea",
  title: "Gitea or Forgejo",
  setup: {
    where: "the repository or organization: Settings, Webhooks, Add webhook, Gitea",
    field: "Target URL",
  },
  deliveryOf: ({ header }) => header("x-gitea-delivery"),
  eventOf: ({ payload, header }) => {
    const kind = firstOf(
      header("x-gitea-event-type"),
      header("x-forgejo-event-type"),
      header("x-gitea-event"),
      header("x-forgejo-event"),
    );
    return [kind, payload.at("action").text].filter(Boolean).join(".");
  },
  isSigned: ({ body, header }, secret) =>
    isHmac(firstOf(header("x-gitea-signature"), header("x-forgejo-signature")), { body, secret }),
  events: {
    push,
    create: reference("created"),
    delete: reference("deleted"),
    fork: (payload) => {
      const [to, from] = [payload.at("repository"), payload.at("forkee")];
      return toMessage(
        payload,
        sentence(
          who(payload),
          `forked ${bold(from.at("full_name").text)} to ${link(to.at("full_name").text, to.at("html_url").text)}`,
        ),
      );
    },
    issues: issue,
    issue_assign: issue,
    issue_label: issue,
    issue_milestone: issue,
    issue_comment: comment,
    pull_request: pullRequest,
    pull_request_assign: pullRequest,
    pull_request_label: pullRequest,
    pull_request_milestone: pullRequest,
    pull_request_sync: pullRequest,
    pull_request_review_request: pullRequest,
    pull_request_comment: comment,
    pull_request_approved: review("approved"),
    pull_request_rejected: review("requested changes to"),
    pull_request_review_approved: review("approved"),
    pull_request_review_rejected: review("requested changes to"),
    pull_request_review_comment: review("reviewed"),
    repository: (payload) =>
      toMessage(
        payload,
        sentence(
          who(payload),
          `${action(payload)} the repository ${link(payload.at("repository", "full_name").text, payload.at("repository", "html_url").text)}`,
        ),
      ),
    release,
    package: (payload) => {
      const one = payload.at("package");
      const named = link(`${one.at("name").text} ${one.at("version").text}`, one.at("html_url").text);
      return toMessage(payload, sentence(who(payload), `${action(payload)} the package ${named}`));
    },
    wiki: (payload) =>
      toMessage(
        payload,
        sentence(who(payload), `${action(payload)} the wiki page ${bold(payload.at("page").text)}`),
        "wiki",
      ),
    status: (payload) => {
      const state = payload.at("state").text;
      const mark = state === "success" ? "✅ " : state === "failure" || state === "error" ? "❌ " : "";
      const check = link(firstOf(payload.at("context").text, "A check"), payload.at("target_url").text);
      return toMessage(
        payload,
        `${mark}${check} of the commit ${code(payload.at("sha").text.slice(0, 8))}: ${escapeText(firstOf(payload.at("description").text, state))}`,
      );
    },
    workflow_run: run("workflow_run", "Workflow"),
    workflow_job: run("workflow_job", "Job"),
    action_run_failure: run("run", "Workflow"),
    action_run_recover: run("run", "Workflow"),
    action_run_success: run("run", "Workflow"),
  },
  quiet: [
    ...[
      "create",
      "issue_label.*",
      "issue_assign.*",
      "issue_milestone.*",
      "issues.edited",
      "issues.label_*",
      "pull_request.label_*",
    ],
    ...[
      "pull_request_label.*",
      "pull_request_assign.*",
      "pull_request_milestone.*",
      "pull_request_sync.*",
      "pull_request.synchronized",
    ],
    ...[
      "issue_comment.edited",
      "issue_comment.deleted",
      "pull_request_comment.edited",
      "pull_request_comment.deleted",
      "pull_request.edited",
    ],
    ...[
      "release.updated",
      "wiki.edited",
      "status",
      "workflow_job.*",
      "workflow_run.requested",
      "workflow_run.in_progress",
      "action_run_success.*",
    ],
  ],
  sample: {
    headers: { "x-gitea-event": "issues" },
    payload: {
      action: "opened",
      repository: { name: "example" },
      sender: { login: "confab" },
      issue: { number: 1, title: "A test event", body: "This bot gets the events of Gitea." },
    },
  },
});
