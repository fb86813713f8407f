import { allow } from "@/foundation/permissions/access.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import type { MailRow } from "./store.ts";
import * as store from "./store.ts";

/** A queued or failed mail; times are UNIX seconds. */
export type UnsentMail = Pick<
  MailRow,
  "id" | "recipient" | "subject" | "queued_at" | "attempts" | "due_at" | "answer" | "given_up_at"
>;

const maxListed = 1000;

/**
 * The oldest unsent mails, without their texts. The subject of a mail about messages names a conversation, which an administrator
 * need not be in; so only the operator sees it.
 */
export const listUnsentMails = query(allow.admin, (ctx): UnsentMail[] =>
  store
    .listUnsent(ctx, maxListed)
    .map((row) =>
      row.headers.list && !ctx.actor.isOperator ? { ...unsent(row), subject: unshown } : unsent(row),
    ),
);

const unshown = "(about messages)";

const unsent = ({ body: _, html: __, headers: ___, ...mail }: MailRow): UnsentMail => mail;

/** A mail by the ID that `queueLetter` returned; null once it is sent. */
export function findUnsent(reads: Reads, id: number): UnsentMail | null {
  const found = store.findMail(reads, id);
  return found && unsent(found);
}

/** How many mails wait to be sent. */
export function countUnsent(reads: Reads): number {
  return store.countWaiting(reads);
}
