import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { drainNode } from "./actions.ts";
import { readCluster } from "./queries.ts";
import { clusterState } from "./schema.ts";

export default domain({
  name: "nodes",
  endpoints: [
    endpoint("get-nodes", {
      about:
        "Returns the nodes of the cluster, which of them leads, and how far the database of each is. Administrators only.",
      method: "GET",
      path: "/metrics/nodes",
      root: true,
      returns: clusterState.shape,
      run: (ctx) => readCluster(ctx),
    }),
    endpoint("drain-node", {
      about:
        "Makes the node that is asked give its work to the others, so that it can be stopped. It then leads no more, and `/health` answers 503. Owners only.",
      method: "POST",
      path: "/metrics/nodes/drain",
      root: true,
      servedBy: "here",
      run: (ctx) => drainNode(ctx),
    }),
  ],
});
