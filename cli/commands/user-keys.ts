// API keys: those that logins handed out, and those for programs.

import { z } from "zod";
import { endKeysFor } from "@/foundation/keys/actions.ts";
import { listKeysOf } from "@/foundation/keys/queries.ts";
import { keyShape } from "@/foundation/keys/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import { flag, operand, option } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { failUsage } from "../misuse.ts";
import { table, timeText } from "../output.ts";
import { numberOf, userWithin } from "../values.ts";

export default [
  command({
    name: "user keys",
    isUnaudited: ({ end, end_all }) => end === undefined && !end_all,
    summary: "List or end the API keys of a person or bot",
    about:
      "Lists the API keys of a person or bot: those that apps got when the person signed in, which also end with the password, " +
      "and the one for programs. The keys themselves are not shown: only their hashes are stored. Times are UTC; the last use " +
      "is known to within an hour. Against a remote server, only your own.",
    examples: [
      "confab user keys ada@example.com",
      "confab user keys ada@example.com --end 12",
      "confab user keys ada@example.com --end-all --yes",
    ],
    args: {
      email: operand("EMAIL", z.string(), "the user's address or ID"),
      end: option("ID", numberOf("a key's number").optional(), "end this key"),
      end_all: flag(z.boolean().default(false), "end all of them"),
      yes,
    },
    result: z.object({
      email: z.string(),
      ended: z.int().nullable(),
      keys: z.array(keyShape.omit({ is_current: true })),
    }),
    run: async (ctx, { email, end, end_all, yes }) => {
      if (end !== undefined && end_all) failUsage("choose one: --end or --end-all");
      const user = userWithin(ctx, email, "keys");
      const { user_id } = user;
      const isEnding = end !== undefined || end_all;
      const ending = isEnding ? listKeysOf(ctx, user_id).filter(({ id }) => end_all || id === end) : [];
      if (ending.length > 0) {
        const count = [ending.length, "key"] as const;
        const note = "What uses it has to sign in again, or needs another.";
        await confirm({ does: "ends", count, of: `of ${user.full_name}`, note }, yes);
      }
      const ended = isEnding ? await endKeysFor(ctx, { user_id, id: end }) : null;
      const keys = listKeysOf(ctx, user_id).map(({ is_current: _, ...shown }) => shown);
      return { email: addressOf(user), ended, keys };
    },
    print: ({ email, ended, keys }) => {
      if (ended !== null) return ended === 1 ? "One key has ended." : `${ended} keys have ended.`;
      if (keys.length === 0) return `${email} has no API keys.`;
      return table(
        ["ID", "FOR", "MADE", "LAST USED"],
        keys.map((key) => [
          String(key.id),
          key.kind === "program" ? "programs" : key.device || "an app",
          timeText(key.created_at),
          key.last_used_at === null ? "never" : timeText(key.last_used_at),
        ]),
      );
    },
  }),
];
