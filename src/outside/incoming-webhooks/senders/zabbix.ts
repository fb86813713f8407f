// https://www.zabbix.com/documentation/current/en/manual/config/notifications/media/webhook
import { facts, message } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, escapeText, link, quote } from "../wording.ts";

/** A value that Zabbix has filled in: a macro without a value stays as it is. */
function filled(payload: PayloadValue, ...names: readonly string[]): string {
  const texts = names.map((name) => payload.at(name).text.trim());
  return firstOf(...texts.filter((text) => text !== "*UNKNOWN*" && !/^\{[$A-Z0-9.:<>]+\}$/.test(text)));
}

function describe(payload: PayloadValue, head: string, more: string) {
  const host = filled(payload, "host", "hostname");
  const trigger = firstOf(filled(payload, "trigger"), "a problem");
  const named = link(trigger, filled(payload, "link"));
  return message(
    firstOf(host, "Zabbix"),
    `${head} ${named}${host === "" ? "" : ` on ${bold(host)}`}${more}`,
    facts([
      ["Severity", filled(payload, "severity")],
      ["Item", filled(payload, "item")],
    ]),
  );
}

const problem: PayloadWording = (payload) => describe(payload, "🔥 **Problem**:", ".");
const resolved: PayloadWording = (payload) => {
  const age = filled(payload, "age");
  return describe(payload, "✅ **Resolved**:", age === "" ? "." : ` after ${escapeText(age)}.`);
};
const updated: PayloadWording = (payload) =>
  describe(
    payload,
    `${bold(filled(payload, "user"))} updated the problem`,
    `.${quote(filled(payload, "message"))}`,
  );

const macros = {
  status: "{EVENT.STATUS}",
  event_value: "{EVENT.VALUE}",
  update_status: "{EVENT.UPDATE.STATUS}",
  severity: "{EVENT.SEVERITY}",
  host: "{HOST.NAME}",
  trigger: "{EVENT.NAME}",
  item: "{ITEM.NAME1}: {ITEM.VALUE1}",
  age: "{EVENT.AGE}",
  user: "{USER.FULLNAME}",
  message: "{EVENT.UPDATE.MESSAGE}",
  link: "{$ZABBIX_URL}/tr_events.php?triggerid={TRIGGER.ID}&eventid={EVENT.ID}",
};

const script = `var request = new HttpRequest();
request.addHeader("Content-Type: application/json");
var answer = request.post("ADDRESS", value);
if (request.getStatus() !== 200) throw "Confab answered " + request.getStatus() + ": " + answer;
return "OK";`;

export default sender({
  name: "zabbix",
  title: "Zabbix",
  setup: {
    where: "Alerts, Media types, Create media type, with the type “Webhook” and these parameters and script",
    field: "Script",
    paste: `${Object.entries(macros)
      .map(([name, macro]) => `${name} = ${macro}`)
      .join("\n")}\n\n${script}`,
  },
  eventOf: ({ payload }) => {
    const status = filled(payload, "status").toUpperCase();
    if (filled(payload, "update_status") === "1") return "updated";
    if (filled(payload, "event_value") === "0" || /^(OK|RESOLVED)$/.test(status)) return "resolved";
    return filled(payload, "event_value") === "1" || status === "PROBLEM" ? "problem" : "unknown";
  },
  events: { problem, resolved, updated },
  quiet: [],
  sample: {
    headers: {},
    payload: { status: "PROBLEM", host: "test", trigger: "A test event", severity: "Information" },
  },
});
