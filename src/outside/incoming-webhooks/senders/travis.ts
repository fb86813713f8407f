// https://docs.travis-ci.com/user/notifications/#configuring-webhook-notifications
import { topicOf } from "../forge.ts";
import { markOf, message } from "../parts.ts";
import { firstOf } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, code, escapeText, link } from "../wording.ts";

const build: PayloadWording = (payload) => {
  const state = payload.at("state").text.toLowerCase();
  if (state === "started") return null;
  const place = [payload.at("repository", "owner_name").text, payload.at("repository", "name").text];
  const repository = firstOf(place.filter(Boolean).join("/"), "Travis CI");
  const branch = firstOf(payload.at("tag").text, payload.at("branch").text);
  const named = link(`Build #${payload.at("number").text}`, payload.at("build_url").text);
  const on = branch === "" ? "" : ` on ${code(branch)}`;
  const status = firstOf(payload.at("status_message").text, state, "done");
  const commit = payload.at("commit").text.slice(0, 8);
  const title = firstOf(
    payload.at("pull_request_title").text,
    payload.at("message").text.split("\n", 1)[0] ?? "",
  );
  const author = payload.at("author_name").text;
  return message(
    topicOf(repository, branch),
    `${markOf(firstOf(state, status))}${named} of ${bold(repository)}${on}: ${escapeText(status)}.`,
    commit === ""
      ? ""
      : `${link(commit, payload.at("compare_url").text)} ${escapeText(title)}${author === "" ? "" : ` by ${bold(author)}`}`,
  );
};

export default sender({
  name: "travis",
  title: "Travis CI",
  setup: {
    where: ".travis.yml, at “notifications”",
    field: "webhooks",
    paste: "notifications:\n  webhooks: ADDRESS",
  },
  eventOf: ({ payload }) => firstOf(payload.at("type").text, "unknown"),
  events: { push: build, pull_request: build, cron: build, api: build },
  quiet: [],
  sample: { headers: {}, payload: { type: "push", state: "passed", number: "1", branch: "test-event" } },
});
