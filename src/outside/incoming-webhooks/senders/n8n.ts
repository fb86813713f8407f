// The owner of the address writes the text: as Markdown, in `content`, with a `topic`.
import { ownText } from "../parts.ts";
import { sender } from "../sender.ts";

export default sender({
  name: "n8n",
  title: "n8n",
  setup: {
    where: "a node HTTP Request: method POST, Send Body, with the fields “topic” and “content”",
    field: "URL",
  },
  form: { inQuery: true },
  eventOf: () => "message",
  events: { message: (payload) => ownText(payload, "n8n") },
  quiet: [],
  sample: { headers: {}, payload: { topic: "Test", content: "A **test event** of n8n." } },
});
