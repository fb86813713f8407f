// The owner of the address writes the text: as Markdown, in `content`, with a `topic`.
import { connected, ownText } from "../parts.ts";
import { sender } from "../sender.ts";

export default sender({
  name: "zapier",
  title: "Zapier",
  setup: {
    where: "Webhooks by Zapier, POST: payload type json, with the fields “topic” and “content”",
    field: "URL",
  },
  form: { inQuery: true },
  // Zapier tries the address when it is connected.
  eventOf: ({ payload }) => (payload.at("type").text === "auth" ? "auth" : "message"),
  events: { auth: connected("Zapier"), message: (payload) => ownText(payload, "Zapier") },
  quiet: ["auth"],
  sample: { headers: {}, payload: { topic: "Test", content: "A **test event** of Zapier." } },
});
