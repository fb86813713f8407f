// How people regain access after losing their password.

import { z } from "zod";
import { remarkOnLinks } from "@/foundation/realm/schema.ts";
import { makeResetLink } from "@/foundation/recovery/actions.ts";
import { resetTwoStep } from "@/foundation/two-step/actions.ts";
import { isOnFor } from "@/foundation/two-step/queries.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import { flag, operand } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { userWith } from "../values.ts";

export default [
  command({
    name: "user reset-link",
    isHere: true,
    summary: "Make a link by which a person chooses a new password",
    about:
      "Makes a link by which a person chooses a new password, to hand over where the server sends no mail. It works once " +
      "within an hour; a new one ends earlier ones. Anyone who has it can take the account over, so hand it over like a password.",
    examples: ["confab user reset-link ada@example.com"],
    args: { email: operand("EMAIL", z.string(), "the person's address or ID") },
    result: z.object({ url: z.string(), expires_at: z.int() }),
    run: async (ctx, { email }) => {
      const { path, expires_at } = await makeResetLink(ctx, userWith(ctx, email).user_id);
      return { url: ctx.env.site + path, expires_at };
    },
    print: ({ url }) => `${url}\n\nIt works once, within an hour.`,
    remark: ({ url }) => remarkOnLinks(url),
  }),

  command({
    name: "user two-step",
    isUnaudited: ({ reset }) => !reset,
    summary: "Show or reset a person's two-step sign-in",
    about:
      "Shows whether signing in takes a code of an authenticator app; --reset turns that off for a person who has lost both " +
      "their app and their recovery codes. They are told by mail.",
    examples: ["confab user two-step ada@example.com", "confab user two-step ada@example.com --reset --yes"],
    args: {
      email: operand("EMAIL", z.string(), "the person's address or ID"),
      reset: flag(z.boolean().default(false), "turn it off, so that the password alone signs the person in"),
      yes,
    },
    result: z.object({ email: z.string(), is_on: z.boolean() }),
    run: async (ctx, { email, reset, yes }) => {
      const user = userWith(ctx, email);
      const loss = { does: "turns off two-step sign-in of", count: [1, "person", "people"] } as const;
      const note = "The app and the recovery codes stop working.";
      if (reset && isOnFor(ctx, user.user_id)) await confirm({ ...loss, names: [user.full_name], note }, yes);
      if (reset) await resetTwoStep(ctx, user.user_id);
      return { email: addressOf(user), is_on: isOnFor(ctx, user.user_id) };
    },
    print: ({ email, is_on }) => `Two-step sign-in is ${is_on ? "on" : "off"} for ${email}.`,
  }),
];
