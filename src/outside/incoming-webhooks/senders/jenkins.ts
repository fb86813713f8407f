// https://plugins.jenkins.io/notification/
import { facts, markOf, message, plainEvent } from "../parts.ts";
import { firstOf } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { code, escapeText, link, words } from "../wording.ts";

const build: PayloadWording = (payload, _, event) => {
  const one = payload.at("build");
  const job = firstOf(payload.at("display_name").text, payload.at("name").text, "Jenkins");
  const status = one.at("status").text;
  const named = link(`${job} #${one.at("number").text}`, one.at("full_url").text);
  const branch = one.at("scm", "branch").text.replace(/^origin\//, "");
  const commit = one.at("scm", "commit").text.slice(0, 8);
  const on = [branch === "" ? "" : ` on ${code(branch)}`, commit === "" ? "" : ` at ${code(commit)}`].join(
    "",
  );
  const tests = one.at("test_summary");
  const failed = tests
    .at("failed_tests")
    .list.slice(0, 10)
    .map(({ text }) => text)
    .join(", ");
  return message(
    job,
    `${markOf(status)}Build ${named}${on}: ${escapeText(firstOf(words(status).toLowerCase(), event))}.`,
    facts([
      [
        "Tests",
        tests.at("total").isThere ? `${tests.at("failed").number} of ${tests.at("total").number} failed` : "",
      ],
      ["Failed", failed],
    ]),
  );
};

export default sender({
  name: "jenkins",
  title: "Jenkins",
  setup: {
    where:
      "the plug-in “Notification”; then in the job: Job Notifications, Add Endpoint, with the format “JSON”",
    field: "URL",
  },
  eventOf: ({ payload }) => firstOf(payload.at("build", "phase").text, "unknown").toLowerCase(),
  events: {
    completed: build,
    queued: build,
    started: build,
    finalized: build,
    none: build,
    "*": plainEvent("Jenkins"),
  },
  quiet: ["queued", "started", "finalized", "none"],
  sample: {
    headers: {},
    payload: { name: "test-event", build: { number: 1, phase: "COMPLETED", status: "SUCCESS" } },
  },
});
