// Serves a data folder as if it were that of a cluster's node, for the picture of the console's screen Nodes: takes the folder and a
// port. The other nodes and their figures are made up, so that the picture needs neither nats-servers nor an S3 store.

import { lockFolder, noteServer } from "../cli/lock.ts";
import { noteToken } from "../cli/own-node.ts";
import { version } from "../package.json";
import { open } from "../src/app.ts";
import { takeOperatorToken } from "../src/foundation/auth/operator-token.ts";
import { createLog } from "../src/kernel/lib/log.ts";
import { joinAs } from "../src/operations/nodes/host.ts";
import type { ClusterState } from "../src/operations/nodes/schema.ts";
import { serve } from "../src/server.ts";

const [data = "", given = ""] = process.argv.slice(2);
const port = Number(given);
const start = 2_417_350;
const perSecond = 23;
const begun = performance.now();

function state(): Promise<ClusterState> {
  const appended = Math.round(((performance.now() - begun) / 1_000) * perSecond);
  const newest = start + appended;
  const now = Date.now();
  const hours = (count: number) => Math.floor(now / 1_000) - count * 3_600;
  const nodes = [
    { node: "a", leads: true, behind: 0, free: 181e9, since: hours(52) },
    { node: "b", leads: false, behind: 0, free: 176e9, since: hours(52) },
    { node: "c", leads: false, behind: 3, free: 164e9, since: hours(3) },
  ].map(({ node, leads, behind, free, since }, at) => {
    const url = `https://10.0.0.${at + 1}:9900`;
    const position = newest - behind;
    const report = {
      node,
      url,
      version,
      leads,
      is_draining: false,
      is_waiting: false,
      is_joining: false,
      is_cut_off: false,
      since,
      position,
      clock_ms: now,
      free_bytes: free,
    };
    const all = { ...report, appended: leads ? appended : 0, files: "" };
    return { node, url, last_seen: Math.floor(now / 1_000), position, state: all, lag: behind };
  });
  return Promise.resolve({ cluster: "confab", asked: "b", leader: "a", log: "there", newest, nodes });
}

const unlock = lockFolder(data);
const log = createLog(() => {});
const app = open(data, { hosting: true, log });
const token = crypto.getRandomValues(new Uint8Array(32)).toHex();
takeOperatorToken(app.system, token);
const figures = {
  leads: false,
  position: start,
  lag: 0,
  unknownSeconds: 0,
  isCutOff: false,
  appended: 0,
  appendSeconds: 0,
  refused: 0,
  elections: 0,
  nats: [],
  others: [],
  certificateEndsAt: null,
};
const refuse = () => Promise.reject(new Error("Only a picture."));
joinAs(app.system, {
  figures,
  isDraining: false,
  state,
  drain: refuse,
  undrain: refuse,
  makeSnapshot: refuse,
  findRemovable: refuse,
  remove: refuse,
  findReplaceable: refuse,
  letReplace: refuse,
});
const serving = await serve(app, { host: "127.0.0.1", port, log, hasJobs: () => false });
noteToken(data, token);
noteServer(data, { address: `http://127.0.0.1:${port}`, proxies: [] });
process.on("SIGTERM", () => {
  void serving.stop().then(() => {
    unlock();
    process.exit(0);
  });
});
