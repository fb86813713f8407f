// https://www.home-assistant.io/integrations/rest_command/
import { ownText } from "../parts.ts";
import { sender } from "../sender.ts";

export default sender({
  name: "home_assistant",
  title: "Home Assistant",
  setup: {
    where: "configuration.yaml; then call “notify.confab” in automations",
    field: "resource",
    paste: `notify:
  - platform: rest
    name: confab
    resource: "ADDRESS"
    method: POST_JSON
    title_param_name: topic
    message_param_name: message`,
  },
  form: { inQuery: true },
  eventOf: () => "message",
  events: { message: (payload) => ownText(payload, "Home Assistant") },
  quiet: [],
  sample: { headers: {}, payload: { topic: "Test", message: "A **test event** of Home Assistant." } },
});
