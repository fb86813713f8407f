import { z } from "zod";
import { type OpenQueue, openQueue } from "@/operations/metrics/schema.ts";
import { asking } from "../command.ts";
import { table, timeText } from "../output.ts";

const shape = openQueue.extend({ email: z.string() });
const answer = z.object({ queues: z.array(openQueue) });
const people = z.object({
  members: z.array(z.object({ user_id: z.int(), email: z.string(), delivery_email: z.string().nullish() })),
});

export default [
  asking({
    name: "queue list",
    summary: "List the event queues of the running server",
    about:
      "Lists the event queues of the running server: the owner of each, and how many events its client has " +
      "not fetched yet. Queues exist only in a running server; this command asks it over HTTP, where it listens.",
    examples: ["confab queue list", "confab queue list --json | jq length"],
    args: {},
    result: z.array(shape),
    async run(server, _, out) {
      const { queues } = await server.get("/metrics/queues", answer);
      const ids = JSON.stringify([...new Set(queues.map(({ user_id }) => user_id))]);
      const { members } = await server.get(`/api/v1/users?user_ids=${encodeURIComponent(ids)}`, people);
      const addresses = new Map(members.map((one) => [one.user_id, one.delivery_email ?? one.email]));
      const found = queues.map((queue) => ({ ...queue, email: addresses.get(queue.user_id) ?? "" }));
      await out(found, () => formatQueues(found));
    },
  }),
];

function formatQueues(queues: readonly (OpenQueue & { email: string })[]): string {
  return table(
    ["QUEUE", "USER", "STATE", "LAST CONNECTED (UTC)", "WAITING", "EVENTS"],
    queues.map((queue) => [
      queue.queue_id,
      queue.email,
      queue.is_connected ? "connected" : "away",
      timeText(queue.last_connected),
      String(queue.waiting),
      queue.event_types?.join(", ") ?? "all",
    ]),
  );
}
