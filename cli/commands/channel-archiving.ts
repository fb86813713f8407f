// Archiving channels and bringing them back, one or many: verbs of the noun `channel`.
import type { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { amountText } from "@/kernel/lib/wording.ts";
import { archiveChannel } from "@/places/channel-administration/actions.ts";
import { updateChannel } from "@/places/channel-administration/actions-changes.ts";
import type { Channel } from "@/places/channels/schema.ts";
import { operands } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { changeEach, type failedShape, failureText, findEach, manyShape, oneOrMore } from "../many.ts";
import { allChannels, channelAmong } from "../values.ts";
import { channelShape, channelShower } from "./channel-shape.ts";

const several = operands("CHANNEL", oneOrMore, "names or IDs of channels");
const many = manyShape(channelShape);
const nameOf = ({ name }: Channel) => name;

/** The channels with these names, by their state. */
async function channelsMeant(
  ctx: Ctx,
  names: readonly string[],
): Promise<{ open: Channel[]; archived: Channel[] }> {
  const all = allChannels(ctx);
  const find = (name: string) => channelAmong(all, name);
  const found = await findEach(
    names.map((name) => ({ name, line: null })),
    { find, what: "channel named" },
  );
  return {
    open: found.filter(({ is_archived }) => !is_archived),
    archived: found.filter(({ is_archived }) => is_archived),
  };
}

function presentResult(
  ctx: Ctx,
  unchanged: readonly Channel[],
  { changed, failed }: { changed: number[]; failed: z.infer<typeof failedShape> },
): z.infer<typeof many> {
  const again = new Map(allChannels(ctx).map((one) => [one.stream_id, one]));
  const show = channelShower(ctx);
  const now = changed.flatMap((id) => again.get(id) ?? []);
  return { changed: now.map(show), unchanged: unchanged.map(show), failed };
}

function summarize({ changed, failed }: z.infer<typeof many>, how: string): string {
  const [only] = changed;
  if (!only) return failed.length > 0 ? "No channel was changed." : "No channel is left to change.";
  return changed.length === 1
    ? `${only.name} is ${how}.`
    : `${amountText([changed.length, "channel is", "channels are"])} ${how}.`;
}

export default [
  command({
    name: "channel archive",
    summary: "Archive channels; their messages stay readable",
    about:
      "Archives channels: nobody can post there afterwards, and their messages stay readable. If a name is unknown, nothing is " +
      "changed. What is archived already is left out.",
    examples: ["confab channel archive design --yes", "confab channel archive design site"],
    args: { channel: several, yes },
    result: many,
    run: async (ctx, { channel: names, yes }) => {
      const { open, archived } = await channelsMeant(ctx, names);
      const [only] = archived;
      if (open.length === 0 && only) fail("BAD_REQUEST", `Channel '${only.name}' is archived already.`);
      const subscribers = open.reduce((sum, one) => sum + one.subscriber_count, 0);
      const loss = {
        does: "archives",
        along: [[subscribers, "subscriber"]],
        names: open.map(nameOf),
      } as const;
      const note = "Nobody can post there afterwards; the messages stay readable.";
      await confirm({ ...loss, count: [open.length, "channel"], note }, yes);
      const change = async ({ stream_id }: Channel) => {
        await archiveChannel(ctx, stream_id);
        return stream_id;
      };
      return presentResult(
        ctx,
        archived,
        await changeEach({ items: open, doing: "Archiving", nameOf, change }),
      );
    },
    print: (result) => summarize(result, "now archived"),
    failure: failureText,
  }),

  command({
    name: "channel unarchive",
    summary: "Unarchive channels",
    about: "Unarchives channels. If a name is unknown, nothing is changed. What is not archived is left out.",
    examples: ["confab channel unarchive design", "confab channel unarchive design site"],
    args: { channel: several },
    result: many,
    run: async (ctx, { channel: names }) => {
      const { open, archived } = await channelsMeant(ctx, names);
      const change = async ({ stream_id: channel_id }: Channel) => {
        await updateChannel(ctx, { channel_id, is_archived: false });
        return channel_id;
      };
      return presentResult(
        ctx,
        open,
        await changeEach({ items: archived, doing: "Unarchiving", nameOf, change }),
      );
    },
    print: (result) => summarize(result, "no longer archived"),
    failure: failureText,
  }),
];
