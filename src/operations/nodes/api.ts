import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { drainNode, makeSnapshot, undrainNode } from "./actions.ts";
import { lookAgain } from "./host.ts";
import { readCluster } from "./queries.ts";
import { clusterState, madeSnapshot } from "./schema.ts";

export default domain({
  name: "nodes",
  about: "what a node of a cluster reports about itself and the others",
  hooks: [lookAgain],
  endpoints: [
    endpoint("get-nodes", {
      about:
        "Returns the nodes of the cluster, which of them leads, and how far the database of each is. Administrators only.",
      method: "GET",
      path: "/metrics/nodes",
      root: true,
      mayBeOutdated: true,
      returns: clusterState.shape,
      run: (ctx) => readCluster(ctx),
    }),
    endpoint("drain-node", {
      about:
        "Drains the node that gets the request, so that it can be stopped: another node takes over its work, and its `/health` answers 503. Owners only.",
      method: "POST",
      path: "/metrics/nodes/drain",
      root: true,
      servedBy: "here",
      mayBeOutdated: true,
      run: (ctx) => drainNode(ctx),
    }),
    endpoint("undrain-node", {
      about:
        "Lets the node that gets the request take part again after it was drained: its `/health` answers 200, and it may lead. Owners only.",
      method: "POST",
      path: "/metrics/nodes/undrain",
      root: true,
      servedBy: "here",
      mayBeOutdated: true,
      run: (ctx) => undrainNode(ctx),
    }),
    endpoint("make-snapshot", {
      about:
        "Makes the node that is asked store a copy of its database for nodes that join, and returns the copy's position in the log and its size. Owners only.",
      method: "POST",
      path: "/metrics/nodes/snapshot",
      root: true,
      servedBy: "here",
      returns: madeSnapshot.shape,
      run: (ctx) => makeSnapshot(ctx),
    }),
  ],
});
