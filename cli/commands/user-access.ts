// How people sign in with a browser: their sessions, and links that sign them in.

import { z } from "zod";
import { remarkOnLinks } from "@/foundation/realm/schema.ts";
import { endSessionsFor } from "@/foundation/sessions/actions.ts";
import { makeLoginLink } from "@/foundation/sessions/actions-links.ts";
import { listSessionsOf } from "@/foundation/sessions/queries.ts";
import { sessionShape } from "@/foundation/sessions/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import { flag, operand, option } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { failUsage } from "../misuse.ts";
import { table, timeText } from "../output.ts";
import { numberOf, userWith, userWithin } from "../values.ts";

const who = operand("EMAIL", z.string(), "the person's address or ID");

export default [
  command({
    name: "user sessions",
    isUnaudited: ({ end, end_all }) => end === undefined && !end_all,
    summary: "List or end the browsers in which a person is signed in",
    about:
      "Lists the browsers in which a person is signed in. A session ends two weeks after its last use, ninety days after " +
      "signing in, when the person signs out or gets a new password, and by this command. Times are UTC; the last use is " +
      "known to within ten minutes. Against a remote server, only your own.",
    examples: [
      "confab user sessions ada@example.com",
      "confab user sessions ada@example.com --end 12",
      "confab user sessions ada@example.com --end-all --yes",
    ],
    args: {
      email: who,
      end: option("ID", numberOf("a session's number").optional(), "end this session"),
      end_all: flag(z.boolean().default(false), "end all of them"),
      yes,
    },
    result: z.object({
      email: z.string(),
      ended: z.int().nullable(),
      sessions: z.array(sessionShape.omit({ is_current: true })),
    }),
    run: async (ctx, { email, end, end_all, yes }) => {
      if (end !== undefined && end_all) failUsage("choose one: --end or --end-all");
      const user = userWithin(ctx, email, "sessions");
      const { user_id } = user;
      const isEnding = end !== undefined || end_all;
      const ending = isEnding ? listSessionsOf(ctx, user_id).filter(({ id }) => end_all || id === end) : [];
      if (ending.length > 0)
        await confirm({ does: "ends", count: [ending.length, "session"], of: `of ${user.full_name}` }, yes);
      const ended = isEnding ? await endSessionsFor(ctx, { user_id, id: end }) : null;
      const sessions = listSessionsOf(ctx, user_id).map(({ is_current: _, ...shown }) => shown);
      return { email: addressOf(user), ended, sessions };
    },
    print: ({ email, ended, sessions }) => {
      if (ended !== null) return ended === 1 ? "One session has ended." : `${ended} sessions have ended.`;
      if (sessions.length === 0) return `${email} is not signed in in any browser.`;
      return table(
        ["ID", "DEVICE", "ADDRESS", "SIGNED IN", "LAST SEEN", "ENDS"],
        sessions.map((one) => [
          String(one.id),
          one.device,
          one.address,
          timeText(one.created_at),
          timeText(one.last_seen_at),
          timeText(one.expires_at),
        ]),
      );
    },
  }),

  command({
    name: "user login-link",
    isHere: true,
    summary: "Make a link that signs a person in, once",
    about:
      "Makes a link that signs a person in in a browser, without a password. It works once within an hour; a new one ends " +
      "earlier ones. Anyone who has it can act as the person, so hand it over like a password.",
    examples: ["confab user login-link ada@example.com"],
    args: { email: who },
    result: z.object({ url: z.string(), expires_at: z.int() }),
    run: async (ctx, { email }) => {
      const { path, expires_at } = await makeLoginLink(ctx, userWith(ctx, email).user_id);
      return { url: ctx.env.site + path, expires_at };
    },
    print: ({ url }) => `${url}\n\nIt works once, within an hour.`,
    remark: ({ url }) => remarkOnLinks(url),
  }),
];
