// Erasing a person, and deleting all that somebody sent: a form says first what goes, and wants a choice.
import { z } from "zod";
import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx, Db } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { countSent, previewErasure } from "@/operations/erasing/queries.ts";
import { deletionSentence, erasureSentences } from "@/operations/erasing/words.ts";
import { deleteMessagesOf, eraseUser } from "../changes/people.ts";
import { form, type ScreenForm } from "../screen.ts";

const ways = z.enum(["ask", "erase, keep messages", "erase with messages", "only delete messages"]);
type Way = z.infer<typeof ways>;

/** What each person at a console has been told. */
const told = new WeakMap<Db, Set<string>>();

export function erasureOf(_: Ctx, user: User): ScreenForm {
  return form({
    title: `Erase ${user.full_name} for ever`,
    fields: {
      way: {
        label: "What",
        about:
          'Erase the person, and keep their messages as those of "Deleted user" or delete them; or only delete what they and their bots sent. ' +
          "Each says first what goes.",
        rule: ways,
        start: "ask",
      },
    },
    async submit(ctx, { way }) {
      await tell(ctx, user, way);
      return { message: await carryOut(ctx, user, way) };
    },
  });
}

/** Fails with what goes, unless the operator has read it. */
async function tell(ctx: Ctx, user: User, way: Way): Promise<void> {
  const known = told.get(ctx.db) ?? new Set();
  told.set(ctx.db, known);
  const key = `${ctx.actor.id} ${user.user_id} ${way}`;
  if (way !== "ask" && known.delete(key)) return;
  known.add(key);
  const next = way === "ask" ? "Choose what, and save." : "To go on, save again.";
  fail("BAD_REQUEST", `${await goingText(ctx, user, way)} ${next}`);
}

async function goingText(ctx: Ctx, user: User, way: Way): Promise<string> {
  if (way === "only delete messages")
    return deletionSentence(await countSent(ctx, user.user_id), user.full_name);
  const person = { name: user.full_name, address: addressOf(user) };
  const preview = await previewErasure(ctx, user.user_id);
  return erasureSentences(preview, person, way === "erase with messages" ? "delete" : "keep").join(" ");
}

async function carryOut(ctx: Ctx, { user_id, full_name }: User, way: Way): Promise<string> {
  const next =
    way === "only delete messages"
      ? () => deleteMessagesOf(ctx, user_id)
      : () => eraseUser(ctx, { user_id, messages: way === "erase with messages" ? "delete" : "keep" });
  let complete = false;
  while (!complete) ({ complete } = await next());
  return way === "only delete messages"
    ? `Deleted all that ${full_name} had sent.`
    : `Erased the person with the ID ${user_id}.`;
}
