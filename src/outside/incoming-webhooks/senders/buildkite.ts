// https://buildkite.com/docs/apis/webhooks
import { isSame } from "@/foundation/secrets/secrets.ts";
import { topicOf } from "../forge.ts";
import { connected, markOf, message, plainEvent } from "../parts.ts";
import { firstOf } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isAnyHmac, isRecent, valuesIn } from "../signing.ts";
import { bold, code, escapeText, link } from "../wording.ts";

const build: PayloadWording = (payload, _, event) => {
  const one = payload.at("build");
  const pipeline = firstOf(payload.at("pipeline", "name").text, "Buildkite");
  const branch = firstOf(one.at("tag").text, one.at("branch").text);
  const isBlocked = event === "build.finished" && one.at("blocked").isTrue;
  const state = event === "build.failing" ? "failing" : firstOf(one.at("state").text, "done");
  const named = link(`${pipeline} #${one.at("number").text}`, one.at("web_url").text);
  const on = branch === "" ? "" : ` on ${code(branch)}`;
  const creator = one.at("creator", "name").text;
  const by = creator === "" ? "" : ` by ${bold(creator)}`;
  const title = one.at("message").text.trim().split("\n", 1)[0] ?? "";
  return message(
    topicOf(pipeline, branch),
    `${isBlocked ? "⏸ " : markOf(state)}Build ${named}${on}${by}: ${isBlocked ? "waits for somebody to continue it" : escapeText(state)}.`,
    escapeText(title),
  );
};

const job: PayloadWording = (payload) => {
  const one = payload.at("job");
  const pipeline = firstOf(payload.at("pipeline", "name").text, "Buildkite");
  const state = firstOf(one.at("state").text, "done");
  const code = one.at("exit_status").text;
  const named = link(firstOf(one.at("name").text, "without a name"), one.at("web_url").text);
  return message(
    topicOf(pipeline, payload.at("build", "branch").text),
    `${markOf(state)}Job ${named}: ${escapeText(state)}${code === "" ? "" : ` (exit status ${escapeText(code)})`}.`,
  );
};

export default sender({
  name: "buildkite",
  title: "Buildkite",
  setup: { where: "Settings, Notification Services, Add, Webhook", field: "Webhook URL" },
  eventOf: ({ payload, header }) => firstOf(header("x-buildkite-event"), payload.at("event").text, "unknown"),
  isSigned: ({ body, header, now }, secret) => {
    if (header("x-buildkite-token") !== "") return isSame(header("x-buildkite-token"), secret);
    const signature = header("x-buildkite-signature");
    const [time = ""] = valuesIn(signature, "timestamp");
    return (
      isRecent(Number(time), now) &&
      isAnyHmac(valuesIn(signature, "signature"), { body: `${time}.${body}`, secret })
    );
  },
  events: {
    ping: connected("Buildkite"),
    "build.finished": build,
    "build.failing": build,
    "build.scheduled": build,
    "build.running": build,
    "build.skipped": build,
    "job.finished": job,
    "*": plainEvent("Buildkite"),
  },
  quiet: ["build.scheduled", "build.running", "build.skipped", "job.*"],
  sample: {
    headers: {},
    payload: { event: "build.finished", build: { number: 1, state: "passed", message: "A test event" } },
  },
});
