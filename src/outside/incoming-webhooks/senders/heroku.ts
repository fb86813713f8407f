// https://devcenter.heroku.com/articles/app-webhooks
import { facts, markOf, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, code, escapeText, inPath, link, quote, words } from "../wording.ts";

const appOf = (payload: PayloadValue) =>
  firstOf(payload.at("data", "app", "name").text, payload.at("data", "name").text);
const who = (payload: PayloadValue) =>
  firstOf(payload.at("actor", "email").text, payload.at("data", "user", "email").text);

function linkToApp(app: string): string {
  return link(
    firstOf(app, "an app"),
    app === "" ? "" : `https://dashboard.heroku.com/apps/${inPath(app)}/activity`,
  );
}

/** A release is posted several times until it has ended. */
const release: PayloadWording = (payload) => {
  const data = payload.at("data");
  const status = data.at("status").text;
  if (status === "pending" || (status === "succeeded" && data.at("current").value === false)) return null;
  const app = appOf(payload);
  const version = data.at("version").text;
  const isDeploy = data.at("description").text.startsWith("Deploy");
  return message(
    firstOf(app, "Heroku"),
    `${markOf(status)}${bold(who(payload))} released ${version === "" ? "" : `${code(`v${version}`)} of `}${linkToApp(app)}: ${escapeText(words(status)) || "done"}.`,
    escapeText(data.at("description").text),
    isDeploy ? escapeText(data.at("slug", "commit_description").text.replace(/^[\s*]+/, "")) : "",
  );
};

const build: PayloadWording = (payload) => {
  const data = payload.at("data");
  const status = data.at("status").text;
  if (status !== "failed") return null;
  return message(
    firstOf(appOf(payload), "Heroku"),
    `❌ The build of ${linkToApp(appOf(payload))} by ${bold(who(payload))} failed.`,
    facts([["Commit", data.at("source_blob", "version_description").text]]),
  );
};

const dyno: PayloadWording = (payload) => {
  const data = payload.at("data");
  if (data.at("state").text !== "crashed") return null;
  const status = data.at("exit_status").text;
  return message(
    firstOf(appOf(payload), "Heroku"),
    `❌ ${code(data.at("name").text) || "A dyno"} of ${linkToApp(appOf(payload))} crashed${status === "" ? "" : ` (exit status ${escapeText(status)})`}.`,
  );
};

const addon =
  (verb: string): PayloadWording =>
  (payload) => {
    const name = firstOf(payload.at("data", "addon_service", "name").text, payload.at("data", "name").text);
    return message(
      firstOf(payload.at("data", "app", "name").text, "Heroku"),
      `${bold(who(payload))} ${verb} the add-on ${code(name) || "without a name"}.`,
    );
  };

/** The form of the add-on that Heroku no longer offers. */
const hook: PayloadWording = (payload) => {
  const app = firstOf(payload.at("app").text, "Heroku");
  const named = link(app, payload.at("url").text);
  const head = payload.at("head").text;
  return message(
    app,
    `${bold(payload.at("user").text)} deployed ${code(head) || "the code"} to ${named}.${quote(payload.at("git_log").text)}`,
  );
};

export default sender({
  name: "heroku",
  title: "Heroku",
  setup: {
    where: "the app: More, View webhooks, Create Webhook; or run this",
    field: "Payload URL",
    paste: "heroku webhooks:add -i api:release,api:build,dyno -l notify -u 'ADDRESS' -s SECRET -a APP",
  },
  eventOf: ({ payload }) => {
    const [resource, action] = [payload.at("resource").text, payload.at("action").text];
    if (resource !== "") return [resource, action].filter(Boolean).join(".");
    return payload.at("git_log").isThere || payload.at("head_long").isThere ? "deploy_hook" : "unknown";
  },
  isSigned: ({ body, header }, secret) =>
    isHmac(header("heroku-webhook-hmac-sha256"), { body, secret, encoding: "base64" }),
  events: {
    "release.update": release,
    "release.create": release,
    "build.update": build,
    "dyno.update": dyno,
    "addon.create": addon("added"),
    "addon.destroy": addon("removed"),
    deploy_hook: hook,
    "*": plainEvent("Heroku"),
  },
  quiet: ["release.create"],
  sample: {
    headers: {},
    payload: {
      resource: "release",
      action: "update",
      actor: { email: "Confab" },
      data: { app: { name: "a-test-event" }, status: "succeeded" },
    },
  },
});
