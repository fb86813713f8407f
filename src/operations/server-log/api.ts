import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { followServerLog, readServerLog } from "./queries.ts";
import { logFilter, logPage, operationId } from "./schema.ts";

export default domain({
  name: "server-log",
  about: "the newest lines of the running server's log, kept for administrators",
  endpoints: [
    endpoint(operationId, {
      about:
        "Returns the newest lines of the running server's log, which it keeps in memory, or those after `after`. With `wait` and without such a line, waits up to half a minute for one. Administrators only.",
      method: "GET",
      path: "/metrics/log",
      root: true,
      // Not rate limited: how often a client asks depends on how much happens.
      isFree: true,
      params: { ...logFilter, wait: z.boolean().default(false) },
      returns: logPage,
      run: (ctx, { wait, ...filter }, { onHangUp }) =>
        wait ? followServerLog(ctx, { filter, onHangUp }) : readServerLog(ctx, filter),
    }),
  ],
});
