// Sends a message by the generated client, and receives it as an event and by reading it back; prints what it received.
import createClient from "openapi-fetch";
import type { paths } from "./generated/api.js";

declare const process: { argv: string[] };
const [, , site = "", authorization = ""] = process.argv;

/** Texts as they are, everything else as JSON. */
const form = (body: object) =>
  new URLSearchParams(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
const client = createClient<paths>({
  baseUrl: site,
  headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
  bodySerializer: (body: unknown) => form(body as object),
});

const queue = await client.POST("/api/v1/register", { body: { event_types: ["message"] } });
const sent = await client.POST("/api/v1/messages", {
  body: { type: "channel", to: "general", topic: "generated", content: "By a **generated** client" },
});
const events = await client.GET("/api/v1/events", {
  params: { query: { queue_id: queue.data?.queue_id ?? "", last_event_id: -1 } },
});
const read = await client.GET("/api/v1/messages", {
  params: { query: { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false } },
});
const refused = await client.POST("/api/v1/messages", {
  body: { type: "channel", to: "nowhere", topic: "x", content: "x" },
});
const event = events.data?.events[0];
console.log(
  JSON.stringify({
    sent: sent.data?.id,
    received: event?.type === "message" ? event.message.id : null,
    read: read.data?.messages[0]?.content,
    refused: refused.error?.code,
  }),
);
