// https://www.jetbrains.com/help/teamcity/teamcity-webhooks.html, and the plug-in tcWebHooks.
import { markOf, message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, type Said, sender } from "../sender.ts";
import { bold, code, escapeText, link, words } from "../wording.ts";

interface Build {
  name: string;
  number: string;
  url: string;
  branch: string;
  state: string;
  detail: string;
  who: string;
}

function say({ name, number, url, branch, state, detail, who }: Build): Said {
  const named = link([name, number === "" ? "" : `#${number}`].filter(Boolean).join(" "), url);
  const on = branch === "" ? "" : ` on ${code(branch)}`;
  const by = who === "" ? "" : ` by ${bold(who)}`;
  return message(
    branch === "" ? name : `${name} (${branch})`,
    `${markOf(state)}Build ${named}${on}${by}: ${escapeText(words(state).toLowerCase() || "changed")}.`,
    escapeText(detail, 500),
  );
}

const builtIn: PayloadWording = (payload, _, event) => {
  const one = payload.at("payload");
  const type = one.at("buildType");
  const parts = [type.at("projectName").text, type.at("name").text].filter(Boolean).join(" :: ");
  return say({
    name: firstOf(parts, one.at("buildTypeId").text, "TeamCity"),
    number: one.at("number").text,
    url: one.at("webUrl").text,
    branch: one.at("branchName").text,
    state: event === "BUILD_INTERRUPTED" ? "canceled" : firstOf(one.at("status").text, "finished"),
    detail: one.at("statusText").text,
    who: one.at("triggered", "user", "name").text,
  });
};

/** Whether somebody builds changes that nobody else has. */
const isPersonal = (one: PayloadValue) =>
  one
    .at("teamcityProperties")
    .list.some(
      (property) =>
        property.at("name").text === "env.BUILD_IS_PERSONAL" && property.at("value").text === "true",
    );

const ofPlugin: PayloadWording = (payload) => {
  const one = payload.at("build");
  if (isPersonal(one)) return null;
  const delta = one.at("buildResultDelta").text;
  return say({
    name: firstOf(one.at("buildFullName").text, one.at("buildName").text, "TeamCity"),
    number: one.at("buildNumber").text,
    url: one.at("buildStatusUrl").text,
    branch: one.at("branchDisplayName").text,
    state: delta === "fixed" || delta === "broken" ? delta : one.at("buildResult").text,
    detail: one.at("buildStatus").text,
    who: one.at("triggeredBy").text.split(";", 1)[0] ?? "",
  });
};

export default sender({
  name: "teamcity",
  title: "TeamCity",
  setup: {
    where: "the project: Parameters, Add new parameter, once for each of these",
    field: "teamcity.internal.webhooks.url",
    paste:
      "teamcity.internal.webhooks.enable = true\nteamcity.internal.webhooks.url = ADDRESS\nteamcity.internal.webhooks.events = BUILD_FINISHED;BUILD_INTERRUPTED",
  },
  eventOf: ({ payload }) => {
    if (payload.at("build").isThere) return firstOf(payload.at("build", "notifyType").text, "unknown");
    return firstOf(payload.at("eventType").text, "unknown");
  },
  events: {
    BUILD_FINISHED: builtIn,
    BUILD_INTERRUPTED: builtIn,
    BUILD_STARTED: builtIn,
    buildFinished: ofPlugin,
    buildInterrupted: ofPlugin,
    buildStarted: ofPlugin,
    "*": plainEvent("TeamCity"),
  },
  quiet: ["BUILD_STARTED", "buildStarted"],
  sample: {
    headers: {},
    payload: {
      eventType: "BUILD_FINISHED",
      payload: { number: "1", status: "SUCCESS", buildTypeId: "A test event" },
    },
  },
});
