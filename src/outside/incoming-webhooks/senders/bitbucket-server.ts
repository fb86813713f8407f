// https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html
import { describePush, linkNumbered, sentence, topicOf } from "../forge.ts";
import { connected, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { code } from "../wording.ts";

const who = (payload: PayloadValue) =>
  firstOf(payload.at("actor", "displayName").text, payload.at("actor", "name").text);

const repositoryOf = (payload: PayloadValue) => {
  const own = payload.at("repository");
  return own.isThere ? own : payload.at("pullRequest", "toRef", "repository");
};

const nameOf = (repository: PayloadValue) =>
  firstOf(repository.at("name").text, repository.at("slug").text, "Bitbucket");

/** The page of a repository, which requests often leave out: then it follows from the address for cloning. */
function pageOf(repository: PayloadValue): string {
  const page = repository.at("links", "self", 0, "href").text.replace(/\/browse$/, "");
  if (page !== "") return page;
  const clone = repository.at("links", "clone").list.find((one) => one.at("name").text.startsWith("http"));
  const site = URL.parse(clone?.at("href").text ?? "")?.origin;
  const [key, slug] = [repository.at("project", "key").text, repository.at("slug").text];
  if (!site || key === "" || slug === "") return "";
  const owner = key.startsWith("~") ? `users/${key.slice(1)}` : `projects/${key}`;
  return `${site}/${owner}/repos/${slug}`;
}

const push: PayloadWording = (payload) => {
  const repository = nameOf(repositoryOf(payload));
  const all = payload
    .at("changes")
    .list.slice(0, 20)
    .map((change) =>
      describePush({
        who: who(payload),
        ref: `refs/${change.at("ref", "type").text === "TAG" ? "tags" : "heads"}/${firstOf(change.at("ref", "displayId").text, "a branch")}`,
        repository,
        compareUrl: "",
        commits: [],
        before: change.at("type").text === "ADD" ? "0" : firstOf(change.at("fromHash").text, "old"),
        after: change.at("type").text === "DELETE" ? "0" : firstOf(change.at("toHash").text, "new"),
      }),
    );
  const [first] = all;
  if (!first) return null;
  const topic = all.length === 1 ? first.topic : topicOf(repository, "");
  return { topic, content: all.map(({ content }) => content).join("\n\n") };
};

function thing(payload: PayloadValue) {
  const one = payload.at("pullRequest");
  const repository = repositoryOf(payload);
  const [number, title] = [one.at("id").text, one.at("title").text];
  const page = pageOf(repository);
  const url = page === "" || number === "" ? "" : `${page}/pull-requests/${number}`;
  return {
    one,
    named: linkNumbered("pull request", { number, title, url }),
    topic: topicOf(nameOf(repository), `PR #${number} ${title}`),
  };
}

const did =
  (verb: string): PayloadWording =>
  (payload) => {
    const { one, named, topic } = thing(payload);
    const branches = ` from ${code(one.at("fromRef", "displayId").text) || "a branch"} into ${code(one.at("toRef", "displayId").text) || "another"}`;
    const isOpened = verb === "opened";
    const text = isOpened ? one.at("description").text : "";
    return message(topic, sentence(who(payload), `${verb} ${named}${isOpened ? branches : ""}`, text));
  };

const comment =
  (verb: string): PayloadWording =>
  (payload) => {
    const { named, topic } = thing(payload);
    const text = verb === "deleted" ? "" : payload.at("comment", "text").text;
    return message(topic, sentence(who(payload), `${verb} a comment on ${named}`, text));
  };

export default sender({
  name: "bitbucket_server",
  title: "Bitbucket Data Center",
  setup: { where: "the repository: Repository settings, Webhooks, Create webhook", field: "URL" },
  deliveryOf: ({ header }) => header("x-request-id"),
  eventOf: ({ payload, header }) => {
    if (payload.at("test").isTrue) return "test";
    return firstOf(header("x-event-key"), payload.at("eventKey").text, "unknown").replaceAll(":", ".");
  },
  isSigned: ({ body, header }, secret) =>
    isHmac(header("x-hub-signature"), { body, secret, prefix: "sha256=" }),
  events: {
    test: connected("Bitbucket"),
    "diagnostics.ping": connected("Bitbucket"),
    "repo.refs_changed": push,
    "repo.forked": (payload) => {
      const repository = nameOf(repositoryOf(payload));
      return message(repository, sentence(who(payload), `forked ${code(repository)}`));
    },
    "repo.comment.added": (payload) => {
      const commit = code(payload.at("commit").text.slice(0, 8)) || "a commit";
      const text = payload.at("comment", "text").text;
      return message(
        nameOf(repositoryOf(payload)),
        sentence(who(payload), `left a comment on ${commit}`, text),
      );
    },
    "pr.opened": did("opened"),
    "pr.modified": did("changed"),
    "pr.merged": did("merged"),
    "pr.declined": did("declined"),
    "pr.deleted": did("deleted"),
    "pr.reviewer.approved": did("approved"),
    "pr.reviewer.unapproved": did("no longer approves"),
    "pr.reviewer.needs_work": did("requested changes to"),
    "pr.reviewer.changes_requested": did("requested changes to"),
    "pr.comment.added": comment("left"),
    "pr.comment.edited": comment("changed"),
    "pr.comment.deleted": comment("deleted"),
    "*": plainEvent("Bitbucket"),
  },
  quiet: ["pr.modified", "pr.deleted", "pr.reviewer.unapproved", "pr.comment.edited", "pr.comment.deleted"],
  sample: {
    headers: {},
    payload: {
      eventKey: "pr:merged",
      actor: { displayName: "Confab" },
      pullRequest: { id: 1, title: "A test event", toRef: { repository: { name: "example" } } },
    },
  },
});
