import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Command } from "../command.ts";
import { addressOf } from "../lock.ts";
import { failUsage } from "../misuse.ts";
import { asOperator, asReader } from "../organization.ts";
import { askNode, isNodeFolder } from "../own-node.ts";
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
    "node that leads makes the changes.",
  examples: ["confab console", "confab console --data /srv/confab --as ada@example.com"],
  args: {},
  result: null,
  acts: true,
  runsRemotely: false,
  isApart: false,
  async execute(call) {
    if (call.json) failUsage("the console does not take --json");
    if (!process.stdin.isTTY || !process.stdout.isTTY) fail("BAD_REQUEST", terminalNeeded);
    if (process.env.TERM === "dumb")
      fail("BAD_REQUEST", "this terminal (TERM=dumb) cannot show the console.");
    const isNode = isNodeFolder(call.dataDir);
    const request = isNode ? (path: string, init?: RequestInit) => askNode(call, path, init) : undefined;
    await (isNode ? asReader : asOperator)(call, async (ctx) => {
      const { runConsole } = await import("@console/app.tsx");
      const host = { dataDir: call.dataDir, examine: (deep: boolean) => examineAll(call.dataDir, deep) };
      await runConsole(ctx, { address: () => addressOf(call.dataDir), request, host });
    });
  },
};

export default [open];
