import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint, RawAnswer } from "@/kernel/http/endpoint.ts";
import { tryWriting } from "./actions.ts";
import { sampleSeconds, takeSample } from "./history.ts";
import { health, listQueues, listSamples, metrics, readServerState } from "./queries.ts";
import { metricsHistory, openQueue, serverState } from "./schema.ts";

const uncached = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export default domain({
  name: "metrics",
  about: "what a running server measures: `/health`, `/metrics`, `/metrics/queues`",
  endpoints: [
    endpoint("get-health", {
      about:
        "Returns 200 if the server works and 503 if not, for example after a failed write or while the disk is full. Needs no credentials and reveals nothing else.",
      method: "GET",
      path: "/health",
      root: true,
      auth: "none",
      mayBeOutdated: true,
      run: (ctx) => {
        const found = health(ctx);
        if (ctx.db.lastFailure !== null) void tryWriting(ctx);
        const headers = { ...uncached, "content-type": "application/json" };
        return new RawAnswer(JSON.stringify(found), headers, found.status === "ok" ? 200 : 503);
      },
    }),
    endpoint("get-metrics", {
      about:
        "Returns the server's metrics in the Prometheus text format. For administrators, and for monitoring programs with a token " +
        "of `confab metrics make-token` as `Authorization: Bearer TOKEN`.",
      method: "GET",
      path: "/metrics",
      root: true,
      auth: "watcher",
      mayBeOutdated: true,
      run: (ctx) =>
        new RawAnswer(metrics(ctx), {
          ...uncached,
          "content-type": "text/plain; version=0.0.4; charset=utf-8",
        }),
    }),
    endpoint("get-queues", {
      about: "Lists the event queues of the running server. Administrators only.",
      method: "GET",
      path: "/metrics/queues",
      root: true,
      returns: { queues: z.array(openQueue) },
      run: (ctx) => ({ queues: listQueues(ctx) }),
    }),
    endpoint("get-server-state", {
      about:
        "Returns what the server is doing: version, memory, disk, the age of the last backup, and what waits for programs outside. Ages are in seconds. Owners only.",
      method: "GET",
      path: "/metrics/server",
      root: true,
      mayBeOutdated: true,
      returns: serverState.shape,
      run: (ctx) => readServerState(ctx),
    }),
    endpoint("get-metrics-history", {
      about:
        "Returns what the running server measured: every five seconds of the last minutes, and every minute of the last day. " +
        "A sample is a list of numbers in the order of `fields`; counts are those since the sample before, latencies are " +
        "milliseconds. Administrators only.",
      method: "GET",
      path: "/metrics/history",
      root: true,
      mayBeOutdated: true,
      returns: metricsHistory.shape,
      run: (ctx) => listSamples(ctx),
    }),
  ],
  // Each node measures itself.
  jobs: [{ name: "sample-metrics", everySeconds: sampleSeconds, onEachNode: true, run: takeSample }],
});
