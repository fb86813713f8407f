// https://developer.clickup.com/docs/webhooks
import { sentence } from "../forge.ts";
import { message, plainEvent, timeOf } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, inPath, link } from "../wording.ts";

type Description = (item: PayloadValue, task: string) => { did: string; text?: string };

/** The name of a task is in no payload. */
function taskOf(payload: PayloadValue): string {
  const id = payload.at("task_id").text;
  return link("a task", id === "" ? "" : `https://app.clickup.com/t/${inPath(id)}`);
}

const task =
  (describe: Description): PayloadWording =>
  (payload) => {
    const item = payload.at("history_items", 0);
    const { did, text } = describe(item, taskOf(payload));
    return message("ClickUp", sentence(item.at("user", "username").text, did, text));
  };

const list =
  (verb: string): PayloadWording =>
  () =>
    message("ClickUp", `A list was ${verb}.`);

const status = (item: PayloadValue) =>
  firstOf(item.at("after", "status").text, item.at("after").text, "another status");

export default sender({
  name: "clickup",
  title: "ClickUp",
  setup: {
    where:
      "its API: run this, with a token of Settings, Apps, and the workspace's number; it answers with the secret",
    field: "endpoint",
    paste: `curl https://api.clickup.com/api/v2/team/WORKSPACE/webhook -H 'Authorization: TOKEN' \\
  -H 'Content-Type: application/json' -d '{"endpoint": "ADDRESS", "events": ["*"]}'`,
  },
  eventOf: ({ payload }) => firstOf(payload.at("event").text, "unknown"),
  isSigned: ({ body, header }, secret) => isHmac(header("x-signature"), { body, secret }),
  events: {
    taskCreated: task((_, named) => ({ did: `created ${named}` })),
    taskDeleted: () => message("ClickUp", "A task was deleted."),
    taskStatusUpdated: task((item, named) => ({ did: `moved ${named} to ${bold(status(item))}` })),
    taskAssigneeUpdated: task((item, named) => {
      const isRemoved = item.at("field").text === "assignee_rem";
      const name = bold(firstOf(item.at("after", "username").text, item.at("before", "username").text));
      return { did: isRemoved ? `unassigned ${name} from ${named}` : `assigned ${named} to ${name}` };
    }),
    taskPriorityUpdated: task((item, named) => {
      const priority = item.at("after", "priority").text;
      return {
        did:
          priority === ""
            ? `removed the priority of ${named}`
            : `set the priority of ${named} to ${bold(priority)}`,
      };
    }),
    taskDueDateUpdated: task((item, named) => {
      const due = timeOf(Number(item.at("after").text || Number.NaN) / 1000);
      return {
        did: due === "" ? `removed the due date of ${named}` : `set the due date of ${named} to ${due}`,
      };
    }),
    taskMoved: task((item, named) => ({
      did: `moved ${named} to the list ${bold(item.at("after", "name").text || "without a name")}`,
    })),
    taskCommentPosted: task((item, named) => ({
      did: `commented on ${named}`,
      text: firstOf(
        item.at("comment", "text_content").text,
        item
          .at("comment", "comment")
          .list.slice(0, 200)
          .map((part) => part.at("text").text)
          .join(""),
      ),
    })),
    listCreated: list("created"),
    listUpdated: list("changed"),
    listDeleted: list("deleted"),
    "*": plainEvent("ClickUp"),
  },
  quiet: [],
  sample: {
    headers: {},
    payload: { event: "taskCreated", task_id: "test", history_items: [{ user: { username: "Confab" } }] },
  },
});
