// How people get back in when they have lost their password.
import { z } from "zod";
import { makeResetLink } from "@/foundation/recovery/actions.ts";
import { operand } from "./args.ts";
import { command } from "./command.ts";
import { userWith } from "./values.ts";

export default [
  command({
    name: "user reset-link",
    summary: "Make a link by which a person chooses a new password",
    about:
      "Makes a link by which a person chooses a new password, to hand over where the server sends no mail. It works once " +
      "within an hour; a new one ends earlier ones. Whoever has it can take the account over, so hand it over like a password.",
    examples: ["confab user reset-link ada@example.com"],
    args: { email: operand("EMAIL", z.string(), "the person's address") },
    result: z.object({ url: z.string(), expires_at: z.int() }),
    run: async (ctx, { email }) => {
      const { path, expires_at } = await makeResetLink(ctx, userWith(ctx, email).user_id);
      return { url: ctx.env.site + path, expires_at };
    },
    print: ({ url }) => `${url}\n\nIt works once, within an hour.`,
  }),
];
