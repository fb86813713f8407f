// Pushes, issues, merge requests and comments.
import { commitsIn, describePush, linkNumbered, sentence, topicOf } from "../../forge.ts";
import { firstOf, type PayloadValue, valueIn } from "../../payload.ts";
import type { PayloadWording, Said } from "../../sender.ts";
import { code, link, words } from "../../wording.ts";

/** The name of the user who did it; its place depends on the event. */
export const who = (payload: PayloadValue) =>
  firstOf(payload.at("user", "name").text, payload.at("user_name").text, payload.at("user", "username").text);

export function toMessage(payload: PayloadValue, content: string, about = ""): Said {
  const project = firstOf(
    payload.at("project", "name").text,
    payload.at("project_name").text,
    payload.at("group", "group_name").text,
    payload.at("group_name").text,
    "GitLab",
  );
  return { topic: topicOf(project, about), content };
}

export const push: PayloadWording = (payload) =>
  describePush({
    who: who(payload),
    ref: payload.at("ref").text,
    repository: firstOf(payload.at("project", "name").text, "GitLab"),
    compareUrl: compareUrl(payload),
    commits: commitsIn(payload),
    total: payload.at("total_commits_count").number,
    before: payload.at("before").text,
    after: payload.at("after").text,
  });

function compareUrl(payload: PayloadValue): string {
  const [home, before, after] = [payload.at("project", "web_url"), payload.at("before"), payload.at("after")];
  return home.isThere ? `${home.text}/-/compare/${before.text}...${after.text}` : "";
}

export const verbs: Readonly<Record<string, string>> = {
  open: "opened",
  close: "closed",
  reopen: "reopened",
  update: "updated",
  approved: "approved",
  unapproved: "took back their approval of",
  approval: "added an approval to",
  unapproval: "took back an approval of",
  merge: "merged",
  create: "created",
  delete: "deleted",
};

export const did = (payload: PayloadValue) => {
  const action = payload.at("object_attributes", "action").text;
  return valueIn(verbs, action) ?? firstOf(words(action), "changed");
};

export const issue: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  const kind =
    payload.at("object_kind").text === "work_item"
      ? firstOf(words(one.at("type").text), "work item").toLowerCase()
      : "issue";
  const [number, title] = [one.at("iid").text, one.at("title").text];
  const named = linkNumbered(kind, { number, title, url: one.at("url").text });
  const text = one.at("action").text === "open" ? one.at("description").text : "";
  const secret = one.at("confidential").isTrue ? "the confidential " : "";
  return toMessage(
    payload,
    sentence(who(payload), `${did(payload)} ${secret}${named}`, text),
    `#${number} ${title}`,
  );
};

export const mergeRequest: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  const [number, title] = [one.at("iid").text, one.at("title").text];
  const named = linkNumbered("merge request", { sign: "!", number, title, url: one.at("url").text });
  const about = `!${number} ${title}`;
  const action = one.at("action").text;
  const branches = `from ${code(one.at("source_branch").text)} into ${code(one.at("target_branch").text)}`;
  if (action === "open") {
    const draft = one.at("draft").isTrue ? "the draft " : "";
    return toMessage(
      payload,
      sentence(who(payload), `opened ${draft}${named} ${branches}`, one.at("description").text),
      about,
    );
  }
  if (action === "update" && one.at("oldrev").isThere) {
    return toMessage(payload, sentence(who(payload), `pushed to ${named}`), about);
  }
  const into = action === "merge" ? ` into ${code(one.at("target_branch").text)}` : "";
  return toMessage(payload, sentence(who(payload), `${did(payload)} ${named}${into}`), about);
};

/** A comment on a commit, an issue, a merge request or a snippet. */
export const note: PayloadWording = (payload) => {
  const one = payload.at("object_attributes");
  const text = one.at("note").text;
  const comment = link("a comment", one.at("url").text);
  const on = (kind: string, field: string, sign: string) => {
    const about = payload.at(field);
    const number = firstOf(about.at("iid").text, about.at("id").text);
    const title = about.at("title").text;
    const named = linkNumbered(kind, { sign, number, title, url: about.at("url").text });
    return toMessage(
      payload,
      sentence(who(payload), `left ${comment} on ${named}`, text),
      `${sign}${number} ${title}`,
    );
  };
  switch (one.at("noteable_type").text) {
    case "Issue":
    case "WorkItem":
      return on("issue", "issue", "#");
    case "MergeRequest":
      return on("merge request", "merge_request", "!");
    case "Snippet":
      return on("snippet", "snippet", "$");
    default: {
      const commit = payload.at("commit");
      const named = link(commit.at("id").text.slice(0, 8), commit.at("url").text);
      return toMessage(payload, sentence(who(payload), `left ${comment} on the commit ${named}`, text));
    }
  }
};
