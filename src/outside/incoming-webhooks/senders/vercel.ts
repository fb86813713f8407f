// https://vercel.com/docs/webhooks/webhooks-api
import { topicOf } from "../forge.ts";
import { markOf, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, code, escapeText, link } from "../wording.ts";

/** What was deployed; the names depend on where the code lives. */
function commitOf(meta: PayloadValue) {
  const read = (name: string) =>
    firstOf(...["github", "gitlab", "bitbucket"].map((forge) => meta.at(`${forge}Commit${name}`).text));
  return { ref: read("Ref"), message: read("Message").split("\n", 1)[0] ?? "", author: read("AuthorName") };
}

const deployment: PayloadWording = (payload, _, event) => {
  const data = payload.at("payload");
  const one = data.at("deployment");
  const project = firstOf(
    one.at("name").text,
    data.at("name").text,
    data.at("project", "name").text,
    "Vercel",
  );
  const target = firstOf(data.at("target").text, "preview");
  const host = firstOf(one.at("url").text, data.at("url").text);
  const state = event.split(".")[1] ?? "";
  const commit = commitOf(one.at("meta"));
  const mark = state === "promoted" ? "⬆ " : markOf(state);
  const ref = commit.ref === "" ? "" : ` from ${code(commit.ref)}`;
  return message(
    topicOf(project, target),
    `${mark}Deployment of ${link(project, host === "" ? "" : `https://${host}`)} to ${escapeText(target)}${ref}: ${escapeText(state)}.`,
    [
      escapeText(commit.message),
      commit.author === "" ? "" : `by ${bold(commit.author)}`,
      data.at("links", "deployment").isThere ? link("details", data.at("links", "deployment").text) : "",
    ]
      .filter((part) => part !== "")
      .join(" · "),
  );
};

const project: PayloadWording = (payload, _, event) => {
  const data = payload.at("payload");
  const name = firstOf(data.at("project", "name").text, data.at("name").text, "a project");
  return message(
    name,
    `The project ${bold(name)} was ${event === "project.removed" ? "removed" : "created"}.`,
  );
};

export default sender({
  name: "vercel",
  title: "Vercel",
  setup: { where: "the team: Settings, Webhooks, Create Webhook", field: "Endpoint URL" },
  deliveryOf: ({ payload }) => payload.at("id").text,
  eventOf: ({ payload }) => firstOf(payload.at("type").text, "unknown"),
  isSigned: ({ body, header }, secret) =>
    isHmac(header("x-vercel-signature"), { body, secret, hash: "sha1" }),
  events: {
    "deployment.succeeded": deployment,
    "deployment.error": deployment,
    "deployment.canceled": deployment,
    "deployment.promoted": deployment,
    "deployment.created": deployment,
    "deployment.ready": deployment,
    "project.created": project,
    "project.removed": project,
    "attack.detected": () => message("Vercel", "⚠ Vercel has detected an attack."),
    "*": plainEvent("Vercel"),
  },
  quiet: ["deployment.created", "deployment.ready"],
  sample: {
    headers: {},
    payload: {
      type: "deployment.succeeded",
      payload: { deployment: { name: "a-test-event" }, target: "production" },
    },
  },
});
