// The data that completion offers: one name per line.
import { z } from "zod";
import { listUsers } from "@/foundation/accounts/queries.ts";
import { listGroups } from "@/foundation/groups/queries.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { listChannels } from "@/places/channel-administration/queries.ts";
import { operand } from "../args.ts";
import { command } from "../command.ts";

const kinds = {
  people: (ctx: Ctx) =>
    listUsers(ctx, {})
      .filter(({ is_bot }) => !is_bot)
      .map(addressOf),
  bots: (ctx: Ctx) =>
    listUsers(ctx, {})
      .filter(({ is_bot }) => is_bot)
      .map(addressOf),
  channels: (ctx: Ctx) => listChannels(ctx, { include_all: true }).map(({ name }) => name),
  groups: (ctx: Ctx) => listGroups(ctx, {}).map(({ name }) => name),
} satisfies Record<string, (ctx: Ctx) => string[]>;

type Kind = keyof typeof kinds;
const kind = z.enum(Object.keys(kinds) as [Kind, ...Kind[]]);

/** A longer list would not help, and shells are slow with thousands of names. */
const maxSuggested = 1000;

export default [
  command({
    name: "suggest",
    isUnaudited: true,
    summary: "List the names that completion offers",
    about:
      "Lists people, bots, channels or groups by the names that commands take, one a line, for the completion scripts of the shells: " +
      "the first 1,000 that begin with what is typed.",
    examples: ["confab suggest channels", "confab suggest people ad"],
    args: {
      kind: operand("KIND", kind, kind.options.join(", ")),
      begin: operand("BEGIN", z.string().default(""), "only those that begin with this"),
    },
    result: z.array(z.string()),
    run: (ctx, { kind, begin }) => {
      const key = begin.toLowerCase();
      const found = kinds[kind](ctx).filter((name) => name.toLowerCase().startsWith(key));
      return found.sort().slice(0, maxSuggested);
    },
    print: (names) => names.join("\n"),
  }),
];
