// Events without a conversation: pushes, releases, runs, alerts, people, settings.
import { countText } from "@/kernel/lib/wording.ts";
import { commitsIn, describePush, sentence } from "../../forge.ts";
import { firstOf, type PayloadValue } from "../../payload.ts";
import type { PayloadWording } from "../../sender.ts";
import { bold, code, escapeText, link, quote, words } from "../../wording.ts";
import { did, toMessage, who } from "./parts.ts";

export const run =
  (field: string, what: string): PayloadWording =>
  (payload) => {
    const one = payload.at(field);
    const name = firstOf(one.at("name").text, one.at("app", "name").text, one.at("workflow_name").text, what);
    const branch = firstOf(one.at("head_branch").text, one.at("check_suite", "head_branch").text);
    const outcome = firstOf(one.at("conclusion").text, one.at("status").text, did(payload));
    const on = branch === "" ? "" : ` on ${code(branch)}`;
    const mark =
      outcome === "success" ? "✅ " : outcome === "failure" || outcome === "timed_out" ? "❌ " : "";
    return toMessage(
      payload,
      `${mark}${what} ${link(name, firstOf(one.at("html_url").text, one.at("url").text))}${on}: ${escapeText(words(outcome))}.`,
      branch,
    );
  };

/** The message of a simple event: "ada created the label bug". `name` returns the object's name. */
export const plain =
  (
    what: string,
    name: (payload: PayloadValue) => string = () => "",
    url: (payload: PayloadValue) => string = () => "",
  ): PayloadWording =>
  (payload) => {
    const named = name(payload) === "" ? "" : ` ${link(name(payload), url(payload))}`;
    return toMessage(payload, sentence(who(payload), `${did(payload)} ${what}${named}`));
  };

export const describeCreation: PayloadWording = (payload) => {
  const kind = firstOf(payload.at("ref_type").text, "branch");
  return toMessage(
    payload,
    sentence(who(payload), `created the ${escapeText(kind)} ${code(payload.at("ref").text)}`),
    payload.at("ref").text,
  );
};

export const describeDeletion: PayloadWording = (payload) => {
  const kind = firstOf(payload.at("ref_type").text, "branch");
  return toMessage(
    payload,
    sentence(who(payload), `deleted the ${escapeText(kind)} ${code(payload.at("ref").text)}`),
    payload.at("ref").text,
  );
};

export const push: PayloadWording = (payload) =>
  describePush({
    who: firstOf(payload.at("pusher", "name").text, who(payload)),
    ref: payload.at("ref").text,
    repository: firstOf(payload.at("repository", "name").text, "GitHub"),
    compareUrl: payload.at("compare").text,
    commits: commitsIn(payload),
    before: payload.at("before").text,
    after: payload.at("after").text,
    isForced: payload.at("forced").isTrue,
  });

export const release: PayloadWording = (payload) => {
  const one = payload.at("release");
  const name = firstOf(one.at("name").text, one.at("tag_name").text);
  const kind = one.at("prerelease").isTrue ? "the pre-release" : "the release";
  const text = payload.at("action").text === "published" ? one.at("body").text : "";
  return toMessage(
    payload,
    sentence(who(payload), `${did(payload)} ${kind} ${link(name, one.at("html_url").text)}`, text),
    "releases",
  );
};

export const deploymentStatus: PayloadWording = (payload) => {
  const status = payload.at("deployment_status");
  const to = firstOf(payload.at("deployment", "environment").text, status.at("environment").text);
  const state = status.at("state").text;
  const mark = state === "success" ? "✅ " : state === "failure" || state === "error" ? "❌ " : "";
  const what = link("The deployment", firstOf(status.at("target_url").text, status.at("log_url").text));
  return toMessage(
    payload,
    `${mark}${what} to ${bold(to)} is now: ${escapeText(words(state))}.`,
    `deployments to ${to}`,
  );
};

export const status: PayloadWording = (payload) => {
  const state = payload.at("state").text;
  const mark = state === "success" ? "✅ " : state === "failure" || state === "error" ? "❌ " : "";
  const commit = link(payload.at("sha").text.slice(0, 8), payload.at("commit", "html_url").text);
  const check = link(firstOf(payload.at("context").text, "A check"), payload.at("target_url").text);
  return toMessage(
    payload,
    `${mark}${check} of the commit ${commit}: ${escapeText(firstOf(payload.at("description").text, state))}`,
  );
};

export const pages: PayloadWording = (payload) => {
  const lines = payload
    .at("pages")
    .list.slice(0, 10)
    .map((page) => {
      return `* ${escapeText(page.at("action").text)} ${link(firstOf(page.at("title").text, page.at("page_name").text), page.at("html_url").text)}`;
    });
  return toMessage(payload, `${sentence(who(payload), "changed the wiki")}\n\n${lines.join("\n")}`, "wiki");
};

export const alert =
  (what: string): PayloadWording =>
  (payload) => {
    const one = payload.at("alert");
    const title = firstOf(
      one.at("security_advisory", "summary").text,
      one.at("rule", "description").text,
      one.at("secret_type_display_name").text,
      one.at("affected_package_name").text,
      `#${one.at("number").text}`,
    );
    const severity = firstOf(
      one.at("security_advisory", "severity").text,
      one.at("rule", "security_severity_level").text,
    );
    const how = severity === "" ? "" : ` (${escapeText(severity)})`;
    return toMessage(
      payload,
      `⚠ The ${what} ${link(title, one.at("html_url").text)}${how}: ${escapeText(did(payload))}.`,
      "security",
    );
  };

export const advisory: PayloadWording = (payload) => {
  const one = firstThere(payload.at("security_advisory"), payload.at("repository_advisory"));
  const severity = one.at("severity").text;
  const how = severity === "" ? "" : ` (${escapeText(severity)})`;
  return toMessage(
    payload,
    `⚠ The advisory ${link(one.at("summary").text, one.at("html_url").text)}${how}: ${did(payload)}.${quote(one.at("description").text)}`,
    "security",
  );
};

function firstThere(...pieces: readonly [PayloadValue, ...PayloadValue[]]): PayloadValue {
  return pieces.find((piece) => piece.isThere) ?? pieces[0];
}

export const ping: PayloadWording = (payload) => {
  const hook = payload.at("hook");
  const place = firstOf(
    payload.at("repository", "full_name").text,
    payload.at("organization", "login").text,
    payload.at("sponsors_listing", "name").text,
    "GitHub",
  );
  const kinds = hook.at("events").list.map(({ text }) => text);
  const which = kinds.includes("*")
    ? "all events"
    : countText(kinds.length, "kind of event", "kinds of events");
  return toMessage(
    payload,
    `GitHub will post ${which} of ${bold(place)} here.${quote(payload.at("zen").text)}`,
  );
};

export const describeStar: PayloadWording = (payload) => {
  const did = payload.at("action").text === "deleted" ? "no longer stars" : "stars";
  return toMessage(
    payload,
    sentence(
      who(payload),
      `${did} ${link(payload.at("repository", "full_name").text, payload.at("repository", "html_url").text)}`,
    ),
  );
};

export const describeFork: PayloadWording = (payload) => {
  const to = payload.at("forkee");
  return toMessage(
    payload,
    sentence(
      who(payload),
      `forked the repository to ${link(to.at("full_name").text, to.at("html_url").text)}`,
    ),
  );
};

export const describePublication: PayloadWording = (payload) =>
  toMessage(payload, sentence(who(payload), "made the repository public"));

/** `verb` replaces an action that is not a verb. */
export const person =
  (what: string, verb?: string): PayloadWording =>
  (payload) => {
    const login = firstOf(
      payload.at("member", "login").text,
      payload.at("membership", "user", "login").text,
      payload.at("invitation", "login").text,
      payload.at("blocked_user", "login").text,
    );
    return toMessage(payload, sentence(who(payload), `${verb ?? did(payload)} ${bold(login)} ${what}`));
  };

export const at =
  (...path: string[]) =>
  (payload: PayloadValue) =>
    payload.at(...path).text;
