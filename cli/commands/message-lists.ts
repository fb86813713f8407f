// `message list` and `message tail`: the newest messages, and new ones as they arrive.
import { z } from "zod";
import { isError } from "@/kernel/lib/errors.ts";
import { flag, option, read } from "../args.ts";
import { type Command, type CommandCall, command, otherServer, outOf } from "../command.ts";
import { follow } from "../following.ts";
import { failUsage } from "../misuse.ts";
import { asOperator } from "../organization.ts";
import { harmlessLines, timeText } from "../output.ts";
import { checkShape, type Server } from "../server.ts";
import { countTo, numberOf } from "../values.ts";
import { type Feed, pageLength, queueFeed } from "./message-queue.ts";
import {
  filter,
  formatMessages,
  messageShape,
  messagesOf,
  placeText,
  type ShownMessage,
  termsOf,
} from "./message-shapes.ts";

const maxListed = 5000;
const limit = option("N", countTo(maxListed).default(20), "how many");
const number = numberOf("a message's number").optional();
const shape = z.array(messageShape);

const list = command({
  name: "message list",
  isUnaudited: true,
  summary: "List the newest messages that you may read",
  about:
    "Lists the newest messages of the acting user's feed, or of a channel, a topic or a sender, newest first. --before and --after continue " +
    "from a message.",
  examples: [
    "confab message list --limit 50",
    "confab message list --channel design --topic colours --json",
    "confab message list --channel design --before 1200",
  ],
  args: {
    ...filter,
    limit,
    before: option("ID", number, "only messages before this one"),
    after: option("ID", number, "the oldest messages after this one"),
  },
  result: shape,
  run: (ctx, { before, after, limit, ...chosen }) => {
    if (before !== undefined && after !== undefined) failUsage("choose one: --before or --after");
    const count = after === undefined ? { num_before: limit } : { num_after: limit };
    return messagesOf(ctx, termsOf(ctx, chosen), { anchor: before ?? after, ...count });
  },
  print: formatMessages,
});

/** Reads messages as `message list` does; the arguments are as typed. */
type ListReader = (given: CommandCall["given"]) => Promise<ShownMessage[]>;

/** How often the data folder is checked. */
const everyMs = 400;

const tail: Command = {
  name: "message tail",
  summary: "Show the newest messages, and with --follow new ones as they arrive",
  about:
    "Shows the newest messages of the acting user's feed, or of a channel, a topic or a sender, oldest first. --follow continues with " +
    "new ones until Ctrl+C; with --json it prints one document per line.",
  examples: [
    "confab message tail --follow",
    "confab message tail --channel ops --follow --json | jq -r .content",
  ],
  args: {
    ...filter,
    limit: option("N", countTo(maxListed).default(10), "how many of the newest"),
    follow: flag(z.boolean().default(false), "go on with new messages as they come"),
  },
  result: shape,
  acts: true,
  runsRemotely: true,
  isApart: false,
  async execute(call, values) {
    const server = await otherServer(call);
    if (server) {
      const reader: ListReader = async (given) =>
        checkShape(shape, await server.run({ command: list.name, given, agreed: false }), server);
      return show(call, values, reader, server);
    }
    return asOperator(call, (ctx) =>
      show(call, values, (given) => {
        const fresh = { ...ctx, now: ctx.db.clock.now() };
        noticeOthers(fresh);
        return readHere(fresh, given);
      }),
    );
  },
};

export default [list, tail];

type Ctx = Parameters<NonNullable<Command["perform"]>>[0];

function noticeOthers(ctx: Ctx): void {
  try {
    ctx.db.noticeOthers(ctx);
  } catch (error) {
    // The server is writing just now; the next check comes soon.
    if ((error as { code?: string }).code !== "SQLITE_BUSY" && !isError(error, "SERVER_NOT_READY"))
      throw error;
  }
}

async function readHere(ctx: Ctx, given: CommandCall["given"]): Promise<ShownMessage[]> {
  const result = read(list.args, given);
  if ("problem" in result) return failUsage(result.problem);
  return shape.parse(await list.perform?.(ctx, result.values));
}

async function show(
  { json, given: typed }: CommandCall,
  { follow: goesOn, limit }: Record<string, unknown>,
  reader: ListReader,
  server?: Server,
): Promise<void> {
  const { follow: _, ...given } = typed;
  const out = outOf(json);
  const newest = (await reader({ ...given, limit: String(limit) })).reverse();
  if (!goesOn) {
    await out(newest, () => newest.map(lineOf).join("\n"));
    return;
  }
  let last = newest.at(-1)?.id ?? 0;
  const print = async (messages: readonly ShownMessage[]) => {
    for (const one of messages) {
      if (!(await out(one, () => lineOf(one)))) return false;
      last = Math.max(last, one.id);
    }
    return true;
  };
  if (!(await print(newest))) return;
  const page = async (id: number) =>
    (await reader({ ...given, after: String(id), limit: String(pageLength) })).reverse();
  const feed = server ? queueFeed({ server, given, page }) : folderFeed(page);
  try {
    await follow(async (signal) => print((await feed.after(last, signal)).filter(({ id }) => id > last)));
  } finally {
    await feed.close();
  }
}

/** Polls, because the data folder sends no notifications. */
function folderFeed(page: (id: number) => Promise<ShownMessage[]>): Feed {
  return {
    async after(id) {
      await Bun.sleep(everyMs);
      return page(id);
    },
    async close() {},
  };
}

function lineOf(one: ShownMessage): string {
  const head = `${timeText(one.sent_at)}  ${one.sender}  ${placeText(one)}`;
  return `${head}\n${harmlessLines(one.content).replaceAll(/^/gm, "    ")}`;
}
