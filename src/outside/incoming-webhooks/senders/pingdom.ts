// https://www.pingdom.com/resources/webhooks/
import { facts, message } from "../parts.ts";
import { firstOf, valueIn } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { bold, link, words } from "../wording.ts";

const heads: Readonly<Record<string, string>> = {
  down: "❌ **Down**",
  failing: "❌ **Failing**",
  up: "✅ **Up**",
  success: "✅ **Working**",
};

const check: PayloadWording = (payload, _, event) => {
  const params = payload.at("check_params");
  const name = firstOf(payload.at("check_name").text, "A check");
  const host = [params.at("hostname").text, params.at("port").text].filter(Boolean).join(":");
  return message(
    name,
    `${valueIn(heads, event) ?? bold(event)}: ${link(name, params.at("full_url").text)}`,
    facts([
      ["What", firstOf(payload.at("long_description").text, payload.at("description").text)],
      ["Kind", words(payload.at("check_type").text)],
      ["Host", params.at("full_url").isThere ? "" : host],
      ["Seen from", payload.at("first_probe", "location").text],
      ["Importance", payload.at("importance_level").text],
      ["Note", payload.at("custom_message").text],
    ]),
  );
};

export default sender({
  name: "pingdom",
  title: "Pingdom",
  setup: { where: "Integrations, Add integration, Webhook; then tick it in each check", field: "URL" },
  eventOf: ({ payload }) => firstOf(payload.at("current_state").text, "unknown").toLowerCase(),
  events: { down: check, up: check, failing: check, success: check },
  quiet: [],
  sample: { headers: {}, payload: { current_state: "UP", check_name: "A test event", description: "Test" } },
});
