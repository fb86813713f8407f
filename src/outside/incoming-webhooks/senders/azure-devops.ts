// https://learn.microsoft.com/en-us/azure/devops/service-hooks/events
import { branchOf, describePush, linkNumbered, sentence, topicOf } from "../forge.ts";
import { markOf, message, withoutTags } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, code, escapeText, link, words } from "../wording.ts";

/** The sentence that comes with each event, without its links. */
const plain: PayloadWording = (payload, _, event) => {
  const text = firstOf(payload.at("message", "text").text, payload.at("detailedMessage", "text").text, event);
  return message("Azure DevOps", escapeText(text, 500));
};

const push: PayloadWording = (payload) => {
  const one = payload.at("resource");
  // Some addresses have the name of somebody before the host.
  const site = one.at("repository", "remoteUrl").text.replace(/^(https?:\/\/)[^/@]*@/, "$1");
  const commits = one.at("commits").list.map((commit) => ({
    id: commit.at("commitId").text,
    url: site === "" ? "" : `${site}/commit/${commit.at("commitId").text}`,
    message: commit.at("comment").text,
    author: commit.at("author", "name").text,
  }));
  const all = one
    .at("refUpdates")
    .list.slice(0, 20)
    .map((ref, at) => {
      const [before, after] = [
        firstOf(ref.at("oldObjectId").text, "old"),
        firstOf(ref.at("newObjectId").text, "new"),
      ];
      const compare = `${site}/branchCompare?baseVersion=GC${before}&targetVersion=GC${after}`;
      return describePush({
        who: one.at("pushedBy", "displayName").text,
        ref: firstOf(ref.at("name").text, "a branch"),
        repository: firstOf(one.at("repository", "name").text, "Azure DevOps"),
        compareUrl: site === "" ? "" : compare,
        commits: at === 0 ? commits.toReversed() : [],
        before,
        after,
      });
    });
  const [first] = all;
  return first ? { topic: first.topic, content: all.map(({ content }) => content).join("\n\n") } : null;
};

function request(payload: PayloadValue) {
  const given = payload.at("resource");
  const one = given.at("pullRequest").isThere ? given.at("pullRequest") : given;
  const [number, title] = [one.at("pullRequestId").text, one.at("title").text];
  const repository = firstOf(one.at("repository", "name").text, "Azure DevOps");
  return {
    one,
    named: linkNumbered("pull request", { number, title, url: one.at("_links", "web", "href").text }),
    topic: topicOf(repository, `PR #${number} ${title}`),
  };
}

const opened: PayloadWording = (payload) => {
  const { one, named, topic } = request(payload);
  const [from, to] = [branchOf(one.at("sourceRefName").text), branchOf(one.at("targetRefName").text)];
  const between = from === "" || to === "" ? "" : ` from ${code(from)} into ${code(to)}`;
  const did = `opened ${named}${between}`;
  return message(topic, sentence(one.at("createdBy", "displayName").text, did, one.at("description").text));
};

const updated: PayloadWording = (payload, call, event) => {
  const { one, named, topic } = request(payload);
  const status = one.at("status").text;
  if (status !== "completed" && status !== "abandoned") return null;
  const by = one.at("closedBy", "displayName").text;
  if (by === "") return plain(payload, call, event);
  return message(topic, sentence(by, `${status} ${named}`));
};

const merged: PayloadWording = (payload) => {
  const { one, named, topic } = request(payload);
  const status = one.at("mergeStatus").text;
  if (status === "" || status === "succeeded") return null;
  return message(topic, `⚠ Merging ${named}: ${escapeText(words(status))}.`);
};

const comment: PayloadWording = (payload) => {
  const { named, topic } = request(payload);
  const one = payload.at("resource", "comment");
  return message(
    topic,
    sentence(one.at("author", "displayName").text, `commented on ${named}`, one.at("content").text),
  );
};

const build: PayloadWording = (payload) => {
  const one = payload.at("resource");
  const run = one.at("run");
  const name = firstOf(one.at("definition", "name").text, one.at("pipeline", "name").text, "A build");
  const result = firstOf(
    run.at("result").text,
    one.at("result").text,
    one.at("status").text,
    run.at("state").text,
  );
  if (run.at("state").text !== "" && run.at("state").text !== "completed") return null;
  const page = firstOf(run.at("_links", "web", "href").text, one.at("_links", "web", "href").text);
  const named = link(`${name} ${firstOf(one.at("buildNumber").text, run.at("name").text)}`.trim(), page);
  const person = firstOf(
    one.at("requestedFor", "displayName").text,
    one.at("requests", 0, "requestedFor", "displayName").text,
  );
  const by = person === "" ? "" : ` for ${bold(person)}`;
  return message(
    name,
    `${markOf(result)}Build ${named}${by}: ${escapeText(words(firstOf(result, "done")))}.`,
  );
};

/** A person is "Name <address>", or an object. */
function personIn(fields: PayloadValue, field: string): string {
  return firstOf(fields.at(field, "displayName").text, fields.at(field).text.replace(/ <.*$/s, ""));
}

function item(payload: PayloadValue) {
  const one = payload.at("resource");
  const fields = one.at("revision", "fields").isThere ? one.at("revision", "fields") : one.at("fields");
  const kind = firstOf(fields.at("System.WorkItemType").text, "Work item");
  const number = firstOf(one.at("workItemId").text, one.at("id").text);
  const title = `${kind} #${number} ${fields.at("System.Title").text}`.trim();
  return { one, fields, title, named: link(title, one.at("_links", "html", "href").text) };
}

const itemDid =
  (verb: string, by: string): PayloadWording =>
  (payload) => {
    const { fields, title, named } = item(payload);
    const text = verb === "commented on" ? withoutTags(fields.at("System.History").text) : "";
    return message(
      title,
      sentence(firstOf(personIn(fields, by), personIn(fields, "System.ChangedBy")), `${verb} ${named}`, text),
    );
  };

const itemUpdated: PayloadWording = (payload) => {
  const { one, title, named } = item(payload);
  const changes = one.at("fields").fields.flatMap(([name, change]) => {
    const to = firstOf(change.at("newValue", "displayName").text, change.at("newValue").text);
    const isTold = /^System\.(State|AssignedTo|Title|Reason)$/.test(name);
    return isTold && to !== ""
      ? [`${escapeText(name.slice("System.".length))} ${bold(to.replace(/ <.*$/s, ""))}`]
      : [];
  });
  if (changes.length === 0) return null;
  return message(
    title,
    sentence(one.at("revisedBy", "displayName").text, `changed ${named}: ${changes.join(", ")}`),
  );
};

export default sender({
  name: "azure_devops",
  title: "Azure DevOps",
  setup: {
    where: "the project: Project settings, Service hooks, Create subscription, Web Hooks",
    field: "URL",
  },
  eventOf: ({ payload }) => firstOf(payload.at("eventType").text, "unknown"),
  events: {
    "git.push": push,
    "git.pullrequest.created": opened,
    "git.pullrequest.updated": updated,
    "git.pullrequest.merged": merged,
    "ms.vss-code.git-pullrequest-comment-event": comment,
    "build.complete": build,
    "ms.vss-pipelines.run-state-changed-event": build,
    "ms.vss-pipelinechecks-events.approval-pending": plain,
    "ms.vss-release.deployment-completed-event": plain,
    "workitem.created": itemDid("created", "System.CreatedBy"),
    "workitem.commented": itemDid("commented on", "System.ChangedBy"),
    "workitem.deleted": itemDid("deleted", "System.ChangedBy"),
    "workitem.restored": itemDid("restored", "System.ChangedBy"),
    "workitem.updated": itemUpdated,
    "*": plain,
  },
  quiet: ["workitem.updated", "workitem.deleted", "workitem.restored"],
  sample: {
    headers: {},
    payload: {
      eventType: "build.complete",
      resource: { buildNumber: "1", status: "succeeded", definition: { name: "A test event" } },
    },
  },
});
