// A cluster: `cluster` is about all of its nodes, `node` about one.
import { z } from "zod";
import { leaveSeat, seatIn } from "@/cluster/machines/seat.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { listText } from "@/kernel/lib/wording.ts";
import { removeNode, replaceNode } from "@/operations/nodes/actions.ts";
import { findRemovable } from "@/operations/nodes/queries.ts";
import { type ClusterState, clusterState, madeSnapshot } from "@/operations/nodes/schema.ts";
import { adviceFor, doingOf, newsOf, positionOf, upgradeOf } from "@/operations/nodes/words.ts";
import { operand } from "../args.ts";
import { asking, command, type Out, standalone } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { isLocked, lockFolder } from "../lock.ts";
import { checkOrganization, dataOption } from "../organization.ts";
import { bold, facts, table, timeText } from "../output.ts";
import { forgetToken, isNodeFolder, noteToken } from "../own-node.ts";
import { checkShape, failRefused, NoServerAnswer, type Server } from "../server.ts";
import { nodeName, serverSettings, settingsOfFile } from "../settings.ts";
import { shareFilesIn, takeFiles } from "./cluster-files.ts";
import { documentOf, type Founded, formatFounded, found, foundedShape } from "./cluster-found.ts";
import repairs from "./cluster-repair.ts";
import { nodeOf, nodesAt, ofNode, readNodesOfFolder, translateErrors, undrain } from "./cluster-settings.ts";
import upgrades from "./cluster-upgrade.ts";
import { founding } from "./serve-args.ts";

const begun = z.object({ cluster: z.string(), node: z.string(), position: z.int(), bytes: z.int() });
type Begun = z.infer<typeof begun> & { dataDir: string };

const left = z.object({ cluster: z.string(), position: z.int() });
/** With whether Confab ran the nats-servers. */
type Left = z.infer<typeof left> & { isOurs: boolean };
const replaced = z.object({ node: z.string(), join: z.string() });
/** A large database takes minutes. */
const snapshotMs = 3_600_000;
const endingMs = 10_000;
const removed = z.object({ node: z.string(), nodes: z.array(z.string()) });
const drained = z.object({ node: z.string(), leader: z.string() });
const undrained = z.object({ node: z.string() });

export default [
  standalone({
    name: "cluster init",
    summary: "Begin a cluster with the organization of a data folder",
    about:
      "Begins a cluster with the organization in the data folder, whose server must be stopped; in an empty folder, creates the organization. " +
      "Prints the command by which two other machines join, with a token that holds for a day, and goes on as 'confab serve' does: " +
      "with a nats-server that Confab runs, and once all three machines are there. Later starts are by 'confab serve'. " +
      "Uploaded files are in the S3 store of the settings, or else in the nats-servers. With --cluster, which names nats-servers of yours, it begins the log there, and ends; other nodes join with empty folders.",
    examples: [
      "confab cluster init --node-address 10.0.0.1",
      "confab cluster init --node-address 10.0.0.1 --s3-bucket chat --s3-endpoint https://s3.example.com",
      "confab cluster init --cluster nats://n1,nats://n2,nats://n3 --node a --node-url http://10.0.0.1:9900 --nats-monitors http://n1:8222,http://n2:8222,http://n3:8222",
    ],
    args: { ...serverSettings, ...founding },
    result: z.union([begun, foundedShape]),
    settings: settingsOfFile,
    async run(call, given) {
      const { dataDir, show } = call;
      if (given.cluster === undefined || seatIn(dataDir)) return found(call, given);
      const how = nodeOf(given);
      await checkOrganization(dataDir);
      if (isNodeFolder(dataDir)) {
        fail(
          "BAD_REQUEST",
          `${dataDir} is a node's already: start it with 'confab serve${dataOption(dataDir)}'.`,
        );
      }
      const unlock = lockFolder(dataDir);
      try {
        const { beginCluster } = await import("@/cluster/host.ts");
        const share = () => shareFilesIn(dataDir);
        const result = await translateErrors(beginCluster({ dataDir, ...how }, share));
        // From now on commands treat the folder as a node's. Its server makes a token of its own.
        noteToken(dataDir, crypto.randomUUID());
        await show({ ...result, dataDir });
      } finally {
        unlock();
      }
    },
    json: (result: Begun | Founded) => {
      if ("join" in result) return documentOf(result);
      const { dataDir: _, ...rest } = result;
      return rest;
    },
    print: (result: Begun | Founded) => {
      if ("join" in result) return formatFounded(result);
      const { cluster: name, node: me, position, bytes, dataDir } = result;
      return [
        `The cluster ${bold(name)} begins with this organization, at entry ${position} of its log.`,
        "",
        facts([
          ["First node", me],
          ["Snapshot for the others", `${(bytes / 1e6).toFixed(1)} MB`],
        ]).replaceAll(/^/gm, "  "),
        "",
        `Start it with 'confab serve${dataOption(dataDir)}' and the same settings, and the others with empty data folders.`,
      ].join("\n");
    },
  }),
  standalone({
    name: "cluster leave",
    summary: "End a cluster, and turn its last node into a single server again",
    about:
      "Makes the data folder of the last node that of a single server, and removes the cluster's log. All nodes must be " +
      "stopped; where Confab runs the nats-servers, by 'confab serve --witness' on each machine meanwhile. Files that are in the nats-servers move to the folder. Takes the settings of " +
      "'confab serve --cluster', also from confab.toml; take them out of there afterwards.",
    examples: ["confab cluster leave", "confab cluster leave --data /srv/confab --yes"],
    args: { ...ofNode, yes },
    result: left,
    settings: settingsOfFile,
    async run({ dataDir, show }, { yes, ...given }) {
      const how = nodeOf(given);
      await checkOrganization(dataDir);
      const unlock = lockFolder(dataDir);
      try {
        const note = "This folder keeps everything, as that of a single server.";
        await confirm(
          { does: "ends", count: [1, "cluster"], of: "with its log", names: [how.nats.cluster], note },
          yes,
        );
        await takeFiles(dataDir);
        const { leaveCluster } = await import("@/cluster/host.ts");
        const { position } = await translateErrors(leaveCluster({ dataDir, ...how }));
        forgetToken(dataDir);
        const isOurs = seatIn(dataDir) !== null;
        leaveSeat(dataDir);
        await show({ cluster: how.nats.cluster, position, isOurs });
      } finally {
        unlock();
      }
    },
    json: ({ isOurs: _, ...result }: Left) => result,
    print: ({ cluster: name, position, isOurs }: Left) =>
      `The cluster ${bold(name)} ended at entry ${position} of its log. ` +
      (isOurs
        ? "Stop 'confab serve --witness' on all machines, and start the server here."
        : "Take 'cluster' and 'node' out of confab.toml, and start the server."),
  }),
  command({
    name: "cluster replace",
    isHere: true,
    summary: "Let a new machine take the place of a lost one",
    about:
      "Prints the command by which a new machine takes the place of a lost one, where Confab runs the nats-servers. The new machine has the address of the lost " +
      "one and an empty data folder; it gets the log and the database from the others. Run it on the machine of another node, whose server runs. The token " +
      "holds once, for a day. The lost machine must not come back. The audit log has who made the token.",
    examples: ["confab cluster replace c", "confab cluster replace c --data /srv/confab"],
    args: { node: operand("NODE", nodeName, "the lost machine") },
    result: replaced,
    async run(ctx, { node }) {
      const { token, is_witness } = await replaceNode(ctx, node);
      return { node, join: `confab serve${is_witness ? " --witness" : ""} --join ${token}` };
    },
    print: ({ node, join }) =>
      `Run this on the machine that takes the place of ${bold(node)}, at its address:\n\n  ${bold(join)}`,
  }),
  command({
    name: "cluster remove",
    summary: "Take a node that is gone for good off the list",
    about:
      "Takes a node that is gone for good off the list of nodes: 'confab cluster status' and 'confab doctor' do not show it any more, and " +
      "signing out does not wait for it. Without this, it is shown for a month. It must not run. Its data folder is not touched, and a node that is started with it " +
      "is one of the cluster again: give NATS other passwords if somebody else has that machine. Where Confab runs the nats-servers, the " +
      "three machines stay: the log needs two of three, and with two alone each would be needed. A lost one is replaced there, by 'confab cluster replace'.",
    examples: ["confab cluster remove c", "confab cluster remove c --yes"],
    args: { node: operand("NODE", nodeName, "the node that is gone"), yes },
    result: removed,
    async run(ctx, { node, yes }) {
      const { last_seen, position } = await findRemovable(ctx, node);
      const held = position === null ? "" : `, and held the log up to entry ${position}`;
      const note = `It was last seen ${timeText(last_seen)} UTC${held}. Its data folder stays as it is.`;
      await confirm({ does: "removes", count: [1, "node"], of: "of the cluster", names: [node], note }, yes);
      return { node, nodes: await removeNode(ctx, node) };
    },
    print: ({ node, nodes }) =>
      `${bold(node)} is no node of the cluster any more. It has ${listText(nodes)} now.`,
  }),
  ...repairs,
  ...upgrades,
  asking({
    name: "cluster status",
    summary: "Show what each node is doing, and since when",
    about:
      "Asks the node of the data folder, or a remote one, what all nodes are doing and since when (in the document of --json in UNIX seconds): " +
      "which leads, how many entries of the log each lacks, and whether their clocks and versions agree. Where the log is lost, or no nats-server answers, it says how far the databases " +
      "of the nodes are, and what to do. In the folder of a node that does not run, it says what the folder holds, and asks the others.",
    examples: ["confab cluster status", "confab cluster status --json | jq .leader"],
    args: {},
    result: clusterState,
    run: async (server, _, out) => showState(await nodesAt(server), out),
    runOnStoppedNode: async (dataDir, out) => showState(await readNodesOfFolder(dataDir), out),
  }),
  asking({
    name: "cluster snapshot",
    summary: "Store a copy of the database for nodes that join",
    about:
      "Makes the node of the data folder, or a remote one, store a snapshot of its database in NATS now. Nodes make one by " +
      "themselves every few hours; a fresh one lets a node that joins read less of the log.",
    examples: ["confab cluster snapshot", "confab cluster snapshot --json | jq .position"],
    args: {},
    result: madeSnapshot,
    async run(server, _, out) {
      const init = { method: "POST" };
      const answer = await server.send("/metrics/nodes/snapshot", { patienceMs: snapshotMs, init });
      if (!answer.ok) failRefused(server, answer);
      const made = checkShape(madeSnapshot, answer.body, server);
      await out(made, () => {
        return `${bold(made.node)} stored a snapshot of entry ${made.position} (${(made.bytes / 1e6).toFixed(1)} MB).`;
      });
    },
  }),
  asking({
    name: "node list",
    summary: "List the nodes",
    about: "Lists the nodes of the cluster, also those that do not answer.",
    examples: ["confab node list", "confab node list --json | jq -r .nodes[].node"],
    args: {},
    result: clusterState,
    async run(server, _, out) {
      const state = await nodesAt(server);
      await out(state, () => formatNodes(state));
    },
    async runOnStoppedNode(dataDir, out) {
      const state = await readNodesOfFolder(dataDir);
      await out(state, () => formatNodes(state));
    },
  }),
  asking({
    name: "node drain",
    summary: "Prepare a node to be stopped",
    about:
      "Makes the node that is asked give its work to the others: it leads no more, and /health answers 503, so that a proxy sends " +
      "nobody there. Clients lose nothing. It takes part again once it is restarted, or by 'confab node undrain'.",
    examples: [
      "confab node drain",
      "confab node drain --server https://chat-2.example.com --as ada@example.com",
    ],
    args: {},
    result: drained,
    run: (server, _, out) => drain(server, out, null),
    runOnNode: (server, dataDir, out) => drain(server, out, dataDir),
  }),
  asking({
    name: "node undrain",
    summary: "Let a drained node take part again",
    about:
      "Ends what 'confab node drain' began, where the node is not to be stopped after all: it may lead again, and /health answers 200.",
    examples: ["confab node undrain", "confab node undrain --json | jq -r .node"],
    args: {},
    result: undrained,
    async run(server, _, out) {
      await undrain(server);
      const { asked } = await nodesAt(server);
      await out({ node: asked }, () => `${bold(asked)} takes part again.`);
    },
  }),
];

/** `dataDir` is the folder of the node; null if it is elsewhere. */
async function drain(server: Server, out: Out, dataDir: string | null): Promise<void> {
  const init = { method: "POST" };
  const answer = await server.send("/metrics/nodes/drain", { patienceMs: 30_000, init }).catch((error) => {
    if (!(error instanceof NoServerAnswer)) throw error;
    return null;
  });
  if (!answer) return failIfEnded(out, dataDir);
  if (!answer.ok) failRefused(server, answer);
  const { asked, leader } = await nodesAt(server);
  await out({ node: asked, leader: leader ?? "" }, () => {
    return `${bold(asked)} leads no more${leader === null ? "" : `; ${leader} does`}. Stop it now.`;
  });
}

/** A node ends while it is drained if the node that takes over is of a newer version with other tables. */
async function failIfEnded(out: Out, dataDir: string | null): Promise<void> {
  if (dataDir === null) {
    return fail(
      "BAD_REQUEST",
      "The connection ended without an answer. A node ends by itself once one of a newer version leads: then upgrade it, and start it. " +
        "'confab cluster status' at another node shows whether one leads.",
    );
  }
  const until = performance.now() + endingMs;
  while (isLocked(dataDir)) {
    if (performance.now() > until)
      fail("BAD_REQUEST", "This node's server does not answer. Try again, or look at its log.");
    await Bun.sleep(100);
  }
  const { asked, leader } = await readNodesOfFolder(dataDir);
  if (leader === null || leader === asked)
    fail(
      "BAD_REQUEST",
      "This node's server has ended, and no other node leads yet: its log says why it ended.",
    );
  await out({ node: asked, leader }, () => {
    return (
      `${bold(asked)} leads no more; ${leader} does. ${asked} has ended by itself, as a node does once one of a newer version leads: ` +
      "upgrade it, and start it."
    );
  });
}

async function showState(state: ClusterState, out: Out): Promise<void> {
  const { cluster: name } = state;
  await out(state, () =>
    [`Cluster ${bold(name)}: ${newsOf(state)}`, "", formatNodes(state), ...remarks(state)].join("\n"),
  );
}

function formatNodes({ nodes, asked }: ClusterState): string {
  const rows = nodes.map((known) => {
    const { node: name, url, state, lag } = known;
    const lacks = lag === null ? (state ? "unknown" : "") : String(lag);
    return [name, doingOf(known, asked), String(positionOf(known) ?? ""), lacks, state?.version ?? "", url];
  });
  return table(["NODE", "STATE", "POSITION", "LAG", "VERSION", "URL"], rows);
}

const clockSlackMs = 2_000;

/** What an operator should look at. */
function remarks(state: ClusterState): string[] {
  const { leader, log, nodes } = state;
  const states = nodes.flatMap(({ state }) => (state ? [state] : []));
  const clocks = states.map(({ clock_ms }) => clock_ms);
  const spread = Math.max(...clocks) - Math.min(...clocks);
  const upgrade = upgradeOf(state);
  return [
    ...adviceFor(state).flatMap((sentence) => ["", sentence]),
    ...(leader === null && log === "there"
      ? ["", "Every write is refused until a node leads: 'confab doctor' says what keeps them from it."]
      : []),
    ...(spread > clockSlackMs
      ? ["", `The nodes' clocks differ by ${Math.round(spread / 1_000)} seconds: set them by NTP.`]
      : []),
    ...(upgrade ? ["", `${upgrade.finding} ${upgrade.remedy}`] : []),
  ];
}
