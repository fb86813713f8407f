// Repairs after a loss: starts a new log, or replaces a node's database by a snapshot.
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { option } from "../args.ts";
import { standalone } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { lockFolder } from "../lock.ts";
import { checkOrganization, dataOption } from "../organization.ts";
import { bold, facts } from "../output.ts";
import { isNodeFolder } from "../own-node.ts";
import { settingsOfFile } from "../settings.ts";
import { nodeOf, ofNode, translateErrors } from "./cluster-settings.ts";

const recovered = z.object({ cluster: z.string(), node: z.string(), position: z.int(), bytes: z.int() });
type Recovered = z.infer<typeof recovered> & { dataDir: string };

const joined = z.object({
  position: z.int(),
  made_by: z.string(),
  /** Messages that only this folder held. */
  messages_beyond: z.int(),
  /** The IDs of the first ones. */
  message_ids: z.array(z.int()),
  /** The folder that holds the former database; null if it held no such messages. */
  kept_in: z.string().nullable(),
});
type Joined = z.infer<typeof joined>;

export default [
  standalone({
    name: "cluster recover",
    summary: "Start the log again with one node's database",
    about:
      "Starts the log again with the database of one node, where nats-servers have lost the log or a part of it and nobody leads. " +
      "Take the node whose position is highest in 'confab cluster status', run this on its folder, and start it again. Its " +
      "server must be stopped, and so should the others be. What they hold beyond it is named when they join: 'confab cluster join'.",
    examples: ["confab cluster recover --from a", "confab cluster recover --from a --data /srv/confab --yes"],
    args: {
      ...ofNode,
      from: option("NODE", z.string(), "the node whose database begins the log: that of this folder"),
      yes,
    },
    result: recovered,
    settings: settingsOfFile,
    async run({ dataDir, show }, given) {
      const how = nodeOf(given);
      const { from, yes: agreed } = given;
      if (from !== how.me.node) {
        fail("BAD_REQUEST", `This is the folder of ${how.me.node}. Run the command beside that of ${from}.`);
      }
      await checkOrganization(dataDir);
      checkNode(dataDir);
      const { nodesAhead, recoverCluster } = await import("@/cluster/host.ts");
      const ahead = nodesAhead(dataDir, how.nats.cluster).filter(({ node }) => node !== from);
      const warning = ahead.map(
        ({ node, position }) =>
          ` ${node} was at entry ${position}, so it holds more: rather recover with ${node}, if it still exists.`,
      );
      const note = `The log starts over with the database of ${from}.${warning.join("")}`;
      await confirm(
        { does: "deletes", count: [1, "log"], of: "with all snapshots", names: [how.nats.cluster], note },
        agreed,
      );
      const unlock = lockFolder(dataDir);
      try {
        await show({ ...(await translateErrors(recoverCluster({ dataDir, ...how }))), dataDir });
      } finally {
        unlock();
      }
    },
    json: ({ dataDir: _, ...rest }: Recovered) => rest,
    print: ({ cluster: name, node: me, position, dataDir }: Recovered) =>
      `The log of the cluster ${bold(name)} starts over with the database of ${me}, at entry ${position}. Start it with ` +
      `'confab serve${dataOption(dataDir)}', and run 'confab cluster join' for each of the others before they start.`,
  }),
  standalone({
    name: "cluster join",
    summary: "Replace a node's database by the newest snapshot",
    about:
      "Replaces the database of a node's folder by the newest snapshot that is intact. A node with an empty folder, or one that was " +
      "away for long, does this by itself when it starts; this command is for one that ends because its database differs from the " +
      "others'. Its server must be stopped. Messages that only this folder held are counted, and its former database is kept.",
    examples: ["confab cluster join", "confab cluster join --data /srv/confab --yes"],
    args: { ...ofNode, yes },
    result: joined,
    settings: settingsOfFile,
    async run({ dataDir, show }, given) {
      const how = nodeOf(given);
      checkNode(dataDir);
      const note =
        "The newest snapshot takes its place. Messages that only it holds are counted, and it is kept then.";
      await confirm({ does: "replaces", count: [1, "database"], names: [dataDir], note }, given.yes);
      const unlock = lockFolder(dataDir);
      try {
        const { joinCluster } = await import("@/cluster/host.ts");
        const { head, beyond, kept } = await translateErrors(joinCluster({ dataDir, ...how }));
        await show({
          position: head.seq,
          made_by: head.node,
          messages_beyond: beyond.count,
          message_ids: beyond.ids,
          kept_in: kept,
        });
      } finally {
        unlock();
      }
    },
    json: (result) => result,
    print: ({ position, made_by, messages_beyond, message_ids, kept_in }: Joined) =>
      [
        `The folder now holds the snapshot of entry ${position}, made by ${made_by}. Start the node.`,
        ...(kept_in === null
          ? []
          : [
              "",
              facts([
                ["Messages that only this folder held", String(messages_beyond)],
                ["Their IDs", formatIds(message_ids, messages_beyond)],
                ["The former database is in", kept_in],
              ]).replaceAll(/^/gm, "  "),
            ]),
      ].join("\n"),
  }),
];

const shownIds = 20;

function formatIds(ids: readonly number[], count: number): string {
  return ids.slice(0, shownIds).join(", ") + (count > shownIds ? ", …" : "");
}

function checkNode(dataDir: string): void {
  if (!isNodeFolder(dataDir))
    fail("BAD_REQUEST", `${dataDir} is no node's: no cluster began with it, and it joined none.`);
}
