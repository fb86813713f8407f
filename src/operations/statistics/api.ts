import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { countDueAt } from "./access.ts";
import { countDays } from "./actions.ts";
import { getStatistics } from "./queries.ts";
import { maxDays, statistics } from "./schema.ts";

export default domain({
  name: "statistics",
  about: "how many messages, people and channels there were on each day, and what is stored",
  jobs: [{ name: "count-days", everySeconds: 10, run: countDays, nextDue: countDueAt }],
  endpoints: [
    endpoint("get-statistics", {
      about:
        "Returns how many messages, people and channels there were on each of the last days, and how many bytes of what kind are stored. Messages and files are counted every hour. A day stays as it was counted, also if its messages are deleted later. Who was active is counted since that is stored. Administrators only.",
      method: "GET",
      path: "/statistics",
      params: { days: z.int().min(7).max(maxDays).default(90) },
      returns: statistics.shape,
      run: (ctx, { days }) => getStatistics(ctx, days),
    }),
  ],
});
