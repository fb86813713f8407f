import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { sweepCalls } from "./actions.ts";
import { listBotCalls } from "./queries.ts";
import { botCall, keeping } from "./schema.ts";

export default domain({
  name: "bot-calls",
  about: "the last calls of tools to bots, and of this server to bots elsewhere",
  jobs: [{ name: "sweep-bot-calls", everySeconds: keeping.sweepSeconds, run: sweepCalls }],
  endpoints: [
    endpoint("get-bot-calls", {
      about:
        "Lists the last calls of a bot, the newest first: what tools posted to it, and what this server posted to its address, and what became of each. Kept for a day, at most 50 of each bot. The bot's owner and administrators only.",
      method: "GET",
      path: "/bots/{bot_id:[0-9]+}/calls",
      params: { bot_id: z.int() },
      returns: { calls: z.array(botCall) },
      run: (ctx, { bot_id }) => ({ calls: listBotCalls(ctx, bot_id) }),
    }),
  ],
});
