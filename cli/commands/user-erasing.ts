// Erasing a person, and deleting all that somebody sent: verbs of the noun `user`.
import { z } from "zod";
import { getUser } from "@/foundation/accounts/queries.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import { deleteMessagesOf, eraseUser } from "@/operations/erasing/actions.ts";
import { countSent, previewErasure } from "@/operations/erasing/queries.ts";
import { messageChoice } from "@/operations/erasing/schema.ts";
import { deletionSentence, erasureSentences } from "@/operations/erasing/words.ts";
import { presentAccount, userShape as shape } from "../accounts.ts";
import { operand, option } from "../args.ts";
import { command } from "../command.ts";
import { yes as agreed, confirmSentence } from "../confirm.ts";
import { userWith } from "../values.ts";

const who = operand("EMAIL", z.string(), "the user's address or ID");

export default [
  command({
    name: "user erase",
    summary: "Erase a person for ever, with or without their messages",
    about:
      "Erases a person, as laws on data protection ask: name, address, picture, profile, status, drafts, scheduled messages, reminders, " +
      "snippets, settings, keys and sessions go; the account is deactivated and never opens again. Their messages stay as those of " +
      "'Deleted user', or are deleted with their files. For owners only, and not for oneself. 'confab export user' writes their data " +
      "before. docs/administer.md says what remains where.",
    examples: [
      "confab user erase ada@example.com --messages keep",
      "confab user erase ada@example.com --messages delete --yes",
    ],
    args: {
      email: who,
      messages: option("CHOICE", messageChoice, "what becomes of their messages: keep, delete"),
      yes: agreed,
    },
    result: shape,
    run: async (ctx, { email, messages, yes }) => {
      const user = userWith(ctx, email);
      const { user_id, full_name: name } = user;
      if (!yes) {
        const preview = await previewErasure(ctx, user_id);
        const sentences = erasureSentences(preview, { name, address: addressOf(user) }, messages);
        await confirmSentence(sentences.join(" "), yes);
      }
      let complete = false;
      while (!complete) ({ complete } = await eraseUser(ctx, { user_id, messages }));
      return presentAccount(getUser(ctx, { user_id }));
    },
    print: ({ user_id }) => `Erased the person with the ID ${user_id}.`,
  }),

  command({
    name: "user delete-messages",
    summary: "Delete all that a user and their bots have sent",
    about:
      "Deletes all messages and reactions of a user and their bots for everyone, with the files that only these messages link to: for a " +
      "spammer, or an account that was taken over. The account stays; 'confab user deactivate' closes it.",
    examples: ["confab user delete-messages spam@example.com --yes"],
    args: { email: who, yes: agreed },
    result: shape,
    run: async (ctx, { email, yes }) => {
      const user = userWith(ctx, email);
      const { user_id } = user;
      if (!yes) {
        const sent = await countSent(ctx, user_id);
        await confirmSentence(deletionSentence(sent, user.full_name), yes);
      }
      let complete = false;
      while (!complete) ({ complete } = await deleteMessagesOf(ctx, user_id));
      return presentAccount(getUser(ctx, { user_id }));
    },
    print: ({ full_name }) => `Deleted all that ${full_name} had sent.`,
  }),
];
