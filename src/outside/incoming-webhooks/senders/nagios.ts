// https://assets.nagios.com/downloads/nagioscore/docs/nagioscore/4/en/macrolist.html; Icinga and Naemon have the same macros.
import { markOf, message } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, codeBlock, escapeText, quote } from "../wording.ts";

/** Macros without a value stay as they are. */
const filled = (payload: PayloadValue, name: string) => {
  const text = payload.at(name).text.trim();
  return /^\$[A-Z0-9_]+\$$/.test(text) ? "" : text;
};

function thing(payload: PayloadValue) {
  const host = firstOf(filled(payload, "host"), "a host");
  const service = filled(payload, "service");
  return {
    topic: service === "" ? `host ${host}` : `service ${service} on ${host}`,
    named: service === "" ? `Host ${bold(host)}` : `Service ${bold(service)} on ${bold(host)}`,
  };
}

const state: PayloadWording = (payload) => {
  const { topic, named } = thing(payload);
  const now = firstOf(filled(payload, "state"), "changed");
  const long = filled(payload, "long_output").replaceAll("\\n", "\n");
  const output = [filled(payload, "output"), long].filter((text) => text !== "").join("\n");
  return message(
    topic,
    `${markOf(now)}${named}: ${bold(now)}.`,
    output === "" ? "" : codeBlock(output, "text", 2_000),
  );
};

const person: PayloadWording = (payload, _, event) => {
  const { topic, named } = thing(payload);
  const what = event === "acknowledgement" ? "acknowledged the problem" : "wrote";
  const who = bold(filled(payload, "author"));
  return message(topic, `${named}: ${who} ${what}.${quote(filled(payload, "comment"))}`);
};

const notice: PayloadWording = (payload, _, event) => {
  const { topic, named } = thing(payload);
  return message(topic, `${named}: ${escapeText(event)}.`);
};

const fields = [
  ["type", "NOTIFICATIONTYPE"],
  ["host", "HOSTNAME"],
  ["service", "SERVICEDESC"],
  ["state", "SERVICESTATE"],
  ["output", "SERVICEOUTPUT"],
  ["long_output", "LONGSERVICEOUTPUT"],
  ["author", "NOTIFICATIONAUTHOR"],
  ["comment", "NOTIFICATIONCOMMENT"],
];

export default sender({
  name: "nagios",
  title: "Nagios, Icinga or Naemon",
  setup: {
    where:
      "a command for notifications of services; for hosts another one, with HOSTSTATE, HOSTOUTPUT and LONGHOSTOUTPUT",
    field: "command_line",
    paste: `define command {\n  command_name notify-service-by-confab\n  command_line curl -s ${fields
      .map(([name, macro]) => `--data-urlencode "${name}=$${macro}$"`)
      .join(" ")} 'ADDRESS'\n}`,
  },
  eventOf: ({ payload }) => firstOf(filled(payload, "type"), "unknown").toLowerCase(),
  events: {
    problem: state,
    recovery: state,
    acknowledgement: person,
    custom: person,
    flappingstart: notice,
    flappingstop: notice,
    flappingdisabled: notice,
    downtimestart: notice,
    downtimeend: notice,
    downtimecancelled: notice,
  },
  quiet: ["flapping*", "downtime*"],
  sample: {
    headers: {},
    payload: { type: "RECOVERY", host: "test", service: "", state: "UP", output: "A test event" },
  },
});
