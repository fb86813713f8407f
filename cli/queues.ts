import { z } from "zod";
import { borrowKey, giveKeyBack } from "@/foundation/auth/actions.ts";
import { askOwnServer } from "@/foundation/auth/host.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { type OpenQueue, openQueue } from "@/operations/metrics/schema.ts";
import { addressesOf } from "./accounts.ts";
import { standalone } from "./command.ts";
import { isLocked } from "./lock.ts";
import { asOperator } from "./organization.ts";
import { table, timeText } from "./output.ts";

const shape = openQueue.extend({ email: z.string() });
const answer = z.object({ queues: z.array(openQueue) });
const patienceMs = 10_000;

export default [
  standalone({
    name: "queue list",
    summary: "List the event queues of the running server",
    about:
      "Lists the event queues of the running server: the owner of each, and how many events its client has " +
      "not fetched yet. Queues exist only in a running server; this command asks it over HTTP.",
    examples: ["confab queue list", "confab queue list --json | jq length"],
    actsAs: true,
    args: {},
    result: z.array(shape),
    async run({ dataDir, as, show }) {
      await asOperator({ dataDir, as }, async (ctx) => {
        if (!isLocked(dataDir)) fail("BAD_REQUEST", `No server runs on ${dataDir}, so there are no queues.`);
        const queues = await askServer(ctx);
        const people = addressesOf(
          ctx,
          queues.map(({ user_id }) => user_id),
        );
        await show(queues.map((queue) => ({ ...queue, email: people.get(queue.user_id) ?? "" })));
      });
    },
    json: (queues) => queues,
    print: (queues: z.infer<typeof shape>[]) =>
      table(
        ["QUEUE", "USER", "STATE", "LAST CONNECTED (UTC)", "WAITING", "EVENTS"],
        queues.map((queue) => [
          queue.queue_id,
          queue.email,
          queue.is_connected ? "connected" : "away",
          timeText(queue.last_connected),
          String(queue.waiting),
          queue.event_types?.join(", ") ?? "all",
        ]),
      ),
  }),
];

/** Asks the server with a temporary API key, made for this one request. */
async function askServer(ctx: Ctx): Promise<OpenQueue[]> {
  const { site } = ctx.env;
  const key = await borrowKey(ctx);
  try {
    const answered = await askOwnServer(ctx, "/metrics/queues", { key, patienceMs }).catch((error: Error) =>
      fail("BAD_REQUEST", `The server at ${site} cannot be reached: ${error.message}`),
    );
    if (!answered.ok) fail("BAD_REQUEST", `The server at ${site} answered ${answered.status}.`);
    return answer.parse(await answered.json()).queues;
  } finally {
    await giveKeyBack(ctx, key);
  }
}
