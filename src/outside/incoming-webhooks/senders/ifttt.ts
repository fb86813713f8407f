// The owner of the address writes the text: as Markdown, in `content`, with a `topic`.
import { ownText } from "../parts.ts";
import { sender } from "../sender.ts";

export default sender({
  name: "ifttt",
  title: "IFTTT",
  setup: {
    where:
      "the action Webhooks, Make a web request: method POST, content type application/json, and this body",
    field: "URL",
    paste: '{"topic": "<<<{{EventName}}>>>", "content": "<<<{{Value1}}>>>"}',
  },
  form: { inQuery: true },
  eventOf: () => "message",
  events: { message: (payload) => ownText(payload, "IFTTT") },
  quiet: [],
  sample: { headers: {}, payload: { topic: "Test", content: "A **test event** of IFTTT." } },
});
