// https://docs.netlify.com/deploy/deploy-notifications/
import { topicOf } from "../forge.ts";
import { message, plainEvent } from "../parts.ts";
import { firstOf, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isJws } from "../signing.ts";
import { bold, code, escapeText, inPath, link, quote, words } from "../wording.ts";

const heads: Readonly<Record<string, string>> = {
  deploy_created: "✅ Deployed",
  deploy_failed: "❌ Could not deploy",
  deploy_locked: "🔒 Locked the deploys of",
  deploy_unlocked: "🔓 Unlocked the deploys of",
  deploy_building: "⏳ Builds",
  deploy_request_pending: "⏸ Waits for an approval to deploy",
};

const deploy: PayloadWording = (payload, _, event) => {
  const site = firstOf(payload.at("name").text, "Netlify");
  const [branch, admin] = [payload.at("branch").text, payload.at("admin_url").text];
  const page = firstOf(payload.at("deploy_ssl_url").text, payload.at("ssl_url").text, payload.at("url").text);
  const context = words(payload.at("context").text);
  const log = admin === "" ? "" : link("log", `${admin}/deploys/${inPath(payload.at("id").text)}`);
  const commit = payload.at("commit_ref").text.slice(0, 8);
  const title = payload.at("title").text;
  const by = payload.at("committer").text;
  return message(
    topicOf(site, branch),
    `${valueIn(heads, event) ?? escapeText(words(event))} ${link(site, page)}${branch === "" ? "" : ` from ${code(branch)}`}${context === "" ? "" : ` (${escapeText(context)})`}.${quote(payload.at("error_message").text)}`,
    [
      commit === "" ? "" : link(commit, payload.at("commit_url").text),
      escapeText(title),
      by === "" ? "" : `by ${bold(by)}`,
      log,
    ]
      .filter((part) => part !== "")
      .join(" · "),
  );
};

const states: Readonly<Record<string, string>> = {
  building: "deploy_building",
  ready: "deploy_created",
  error: "deploy_failed",
};

export default sender({
  name: "netlify",
  title: "Netlify",
  setup: {
    where: "Project configuration, Notifications, Deploy notifications, Add notification, HTTP POST request",
    field: "URL to notify",
  },
  eventOf: ({ payload, header }) =>
    firstOf(header("x-netlify-event"), valueIn(states, payload.at("state").text) ?? "", "unknown"),
  isSigned: ({ body, header }, secret) =>
    isJws(header("x-webhook-signature"), { body, secret, issuer: "netlify" }),
  events: {
    deploy_created: deploy,
    deploy_failed: deploy,
    deploy_locked: deploy,
    deploy_unlocked: deploy,
    deploy_request_pending: deploy,
    deploy_building: deploy,
    deploy_deleted: deploy,
    deploy_restored: deploy,
    "*": plainEvent("Netlify"),
  },
  quiet: ["deploy_building", "deploy_deleted"],
  sample: { headers: {}, payload: { state: "ready", name: "a-test-event", branch: "main" } },
});
