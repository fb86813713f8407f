import type { KnownServer, OpenedServer } from "@console/app.tsx";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Command, CommandCall } from "../command.ts";
import { addressOf } from "../lock.ts";
import { failUsage } from "../misuse.ts";
import { asOperator, asReader } from "../organization.ts";
import { askNode, isNodeFolder } from "../own-node.ts";
import { readProfiles } from "../profile-store.ts";
import { type Remote, remoteAccount, requestAs } from "../remote.ts";
import { examineAll } from "./doctor.ts";

const terminalNeeded =
  "the console needs a terminal: run it in one, over SSH with 'ssh -t', or use the other commands in scripts.";

const open: Command = {
  name: "console",
  summary: "Administer the organization in the terminal",
  about:
    "Opens the terminal console: charts of what the server does, what needs attention, and a screen for everything that is " +
    "administered: people, channels, messages, settings, reports, mail, backups, the log and more. Press ? to see the keys. Works " +
    "with or without a running server; connected clients see changes at once. In the folder of a cluster's node, it reads the node's own copy, and the " +
    "node that leads makes the changes. With --profile or --server it shows the screens of that server with what you may see and do " +
    "there, without those that need its machine, such as backups; ':server NAME' goes to another profile.",
  examples: [
    "confab console",
    "confab console --data /srv/confab --as ada@example.com",
    "confab console --profile work",
  ],
  args: {},
  result: null,
  acts: true,
  runsRemotely: true,
  isApart: false,
  async execute(call) {
    if (call.json) failUsage("the console does not take --json");
    if (!process.stdin.isTTY || !process.stdout.isTTY) fail("BAD_REQUEST", terminalNeeded);
    if (process.env.TERM === "dumb")
      fail("BAD_REQUEST", "this terminal (TERM=dumb) cannot show the console.");
    const { runConsole } = await import("@console/app.tsx");
    const { remote } = call;
    if (remote) return runConsole(await openRemotely(remote, call.as), otherServers(null));
    await openHere(call, async (openIt) => runConsole(await openIt(), otherServers(openIt)));
  },
};

/** A server elsewhere, as its screens are there for the account. */
async function openRemotely(remote: Remote, as: string | null): Promise<OpenedServer> {
  const { openElsewhere } = await import("@console/app.tsx");
  const account = await remoteAccount(remote, as);
  const name = remote.profile ?? "";
  return openElsewhere({ name, address: account.server, request: requestAs(account) });
}

/** The profiles, and the data folder if the console began there. */
function otherServers(here: (() => Promise<OpenedServer>) | null): KnownServer[] {
  const profiles = Object.entries(readProfiles().profiles).map(
    ([name, { server, email }]): KnownServer => ({
      name,
      about: `${server} as ${email}`,
      open: () => openRemotely({ profile: name, server: undefined, key_file: undefined }, null),
    }),
  );
  const machine = { name: "this machine", about: "the data folder with which the console began" };
  return here ? [{ ...machine, open: here }, ...profiles] : profiles;
}

/** Works with the organization of the data folder, which stays open meanwhile. */
async function openHere(
  call: CommandCall,
  work: (openIt: () => Promise<OpenedServer>) => Promise<void>,
): Promise<void> {
  const isNode = isNodeFolder(call.dataDir);
  const request = isNode ? (path: string, init?: RequestInit) => askNode(call, path, init) : undefined;
  const host = { dataDir: call.dataDir, examine: (deep: boolean) => examineAll(call.dataDir, deep) };
  const around = { address: () => addressOf(call.dataDir), request, host };
  await (isNode ? asReader : asOperator)(call, async (ctx) => {
    const { openHere: openFolder } = await import("@console/app.tsx");
    await work(() => openFolder(ctx, around));
  });
}

export default [open];
