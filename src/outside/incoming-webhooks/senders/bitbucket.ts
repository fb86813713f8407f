// https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/
import { describePush, linkNumbered, sentence, topicOf } from "../forge.ts";
import { markOf, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, code, escapeText, link, words } from "../wording.ts";

const who = (payload: PayloadValue) =>
  firstOf(payload.at("actor", "display_name").text, payload.at("actor", "nickname").text);
const repository = (payload: PayloadValue) =>
  firstOf(payload.at("repository", "name").text, payload.at("repository", "full_name").text, "Bitbucket");
const page = (one: PayloadValue) => one.at("links", "html", "href").text;
const none = "0";

function describeOne(payload: PayloadValue, change: PayloadValue) {
  const [before, after] = [change.at("old"), change.at("new")];
  const ref = after.isThere ? after : before;
  const commits = change.at("commits").list.map((one) => ({
    id: one.at("hash").text,
    url: page(one),
    message: one.at("message").text,
    author: firstOf(
      one.at("author", "user", "display_name").text,
      one.at("author", "raw").text.slice(0, 500).replace(/ <.*$/s, ""),
    ),
  }));
  const kind = ref.at("type").text === "tag" ? "tags" : "heads";
  return describePush({
    who: who(payload),
    ref: `refs/${kind}/${firstOf(ref.at("name").text, "a branch")}`,
    repository: repository(payload),
    compareUrl: page(change),
    commits: commits.toReversed(),
    total: commits.length + (change.at("truncated").isTrue ? 1 : 0),
    before: before.isThere ? "old" : none,
    after: after.isThere ? "new" : none,
    isForced: change.at("forced").isTrue,
  });
}

const push: PayloadWording = (payload) => {
  const all = payload
    .at("push", "changes")
    .list.slice(0, 20)
    .map((change) => describeOne(payload, change));
  const [first] = all;
  if (!first) return null;
  const topic = all.length === 1 ? first.topic : topicOf(repository(payload), "");
  return { topic, content: all.map(({ content }) => content).join("\n\n") };
};

function thing(payload: PayloadValue) {
  const isRequest = payload.at("pullrequest").isThere;
  const one = payload.at(isRequest ? "pullrequest" : "issue");
  const [number, title] = [one.at("id").text, one.at("title").text];
  return {
    one,
    named: linkNumbered(isRequest ? "pull request" : "issue", { number, title, url: page(one) }),
    topic: topicOf(repository(payload), `${isRequest ? "PR " : ""}#${number} ${title}`),
  };
}

const did =
  (verb: string, text: (one: PayloadValue) => string = () => ""): PayloadWording =>
  (payload) => {
    const { one, named, topic } = thing(payload);
    return message(topic, sentence(who(payload), `${verb} ${named}`, text(one)));
  };

const comment =
  (verb: string): PayloadWording =>
  (payload) => {
    const { named, topic } = thing(payload);
    const one = payload.at("comment");
    const path = one.at("inline", "path").text;
    const where = path === "" ? "" : ` at ${code(path)}`;
    const text = verb === "deleted" ? "" : one.at("content", "raw").text;
    return message(
      topic,
      sentence(who(payload), `${verb} ${link("a comment", page(one))} on ${named}${where}`, text),
    );
  };

const issueUpdated: PayloadWording = (payload) => {
  const { named, topic } = thing(payload);
  const changes = payload.at("changes").fields.flatMap(([field, { value }]) => {
    const change = payload.at("changes", field);
    const to = change.at("new").text;
    const isTold = value !== null && ["status", "state", "priority", "kind", "title"].includes(field);
    return isTold && to !== "" ? [`${escapeText(field)} ${bold(to)}`] : [];
  });
  const text = payload.at("comment", "content", "raw").text;
  if (changes.length === 0 && text === "") return null;
  const what = changes.length === 0 ? "" : `: ${changes.join(", ")}`;
  return message(topic, sentence(who(payload), `changed ${named}${what}`, text));
};

const commitComment: PayloadWording = (payload) => {
  const [one, commit] = [payload.at("comment"), payload.at("comment", "commit")];
  const named = link(commit.at("hash").text.slice(0, 8) || "a commit", page(commit));
  return message(
    repository(payload),
    sentence(
      who(payload),
      `left ${link("a comment", page(one))} on the commit ${named}`,
      one.at("content", "raw").text,
    ),
  );
};

const status: PayloadWording = (payload) => {
  const one = payload.at("commit_status");
  const state = one.at("state").text;
  const named = link(firstOf(one.at("name").text, one.at("key").text, "A build"), one.at("url").text);
  const hash = one.at("links", "commit", "href").text.split("/").at(-1)?.slice(0, 8) ?? "";
  const of = hash === "" ? "" : ` of the commit ${code(hash)}`;
  return message(
    topicOf(repository(payload), one.at("refname").text),
    `${markOf(state)}${named}${of}: ${escapeText(firstOf(one.at("description").text, words(state).toLowerCase(), "changed"))}`,
  );
};

export default sender({
  name: "bitbucket",
  title: "Bitbucket",
  setup: { where: "the repository: Repository settings, Webhooks, Add webhook", field: "URL" },
  deliveryOf: ({ header }) => header("x-request-uuid"),
  eventOf: ({ payload, header }) => {
    const event = firstOf(header("x-event-key").replaceAll(":", "."), "unknown");
    const isFailed =
      event.startsWith("repo.commit_status_") && payload.at("commit_status", "state").text === "FAILED";
    return isFailed ? "repo.commit_failed" : event;
  },
  isSigned: ({ body, header }, secret) =>
    isHmac(header("x-hub-signature"), { body, secret, prefix: "sha256=" }),
  events: {
    "repo.push": push,
    "repo.fork": (payload) => {
      const fork = payload.at("fork");
      const to = link(firstOf(fork.at("full_name").text, "a fork"), page(fork));
      return message(
        repository(payload),
        sentence(who(payload), `forked ${bold(repository(payload))} to ${to}`),
      );
    },
    "repo.commit_comment_created": commitComment,
    "repo.commit_failed": status,
    "repo.commit_status_created": status,
    "repo.commit_status_updated": status,
    "pullrequest.created": did("opened", (one) => one.at("description").text),
    "pullrequest.updated": did("changed"),
    "pullrequest.fulfilled": did("merged"),
    "pullrequest.rejected": (payload) => {
      const { one, named, topic } = thing(payload);
      return message(topic, sentence(who(payload), `declined ${named}`, one.at("reason").text));
    },
    "pullrequest.approved": did("approved"),
    "pullrequest.unapproved": did("no longer approves"),
    "pullrequest.changes_request_created": did("requested changes to"),
    "pullrequest.changes_request_removed": did("no longer requests changes to"),
    "pullrequest.comment_created": comment("left"),
    "pullrequest.comment_updated": comment("changed"),
    "pullrequest.comment_deleted": comment("deleted"),
    "issue.created": did("opened", (one) => one.at("content", "raw").text),
    "issue.updated": issueUpdated,
    "issue.comment_created": comment("left"),
    "*": plainEvent("Bitbucket"),
  },
  quiet: [
    ...[
      "repo.commit_status_created",
      "repo.commit_status_updated",
      "pullrequest.updated",
      "pullrequest.unapproved",
    ],
    ...["pullrequest.changes_request_removed", "pullrequest.comment_updated", "pullrequest.comment_deleted"],
  ],
  sample: {
    headers: { "x-event-key": "pullrequest:created" },
    payload: {
      actor: { display_name: "Confab" },
      repository: { name: "example" },
      pullrequest: { id: 1, title: "A test event", description: "This bot gets the events of Bitbucket." },
    },
  },
});
