// Which narrows spectators may use, and how messages look to them.

import { authErrors } from "@/foundation/permissions/schema.ts";
import { generateAddress } from "@/foundation/users/addresses.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { Message } from "@/messaging/messages/schema.ts";
import type { NarrowTerm } from "@/messaging/narrows/narrow.ts";

/** Operators that do not depend on the reader. */
const operators = new Set([
  "channel",
  "stream",
  "channels",
  "streams",
  "topic",
  "subject",
  "sender",
  "has",
  "search",
  "near",
  "id",
  "with",
]);

const isWebPublic = ({ operator, operand, negated }: NarrowTerm) =>
  (operator === "channels" || operator === "streams") && operand === "web-public" && !negated;

/** Throws UNAUTHENTICATED_USER if a narrow is not limited to web-public channels. */
export function checkNarrowOfSpectator(narrow: readonly NarrowTerm[]): void {
  if (narrow.some(isWebPublic) && narrow.every(({ operator }) => operators.has(operator))) return;
  fail(
    authErrors.UNAUTHENTICATED_USER,
    "Without an account, only messages of web-public channels can be read.",
  );
}

/** The message with the sender's real email address replaced. */
export function asSpectatorsRead(ctx: Ctx, message: Message): Message {
  return { ...message, sender_email: generateAddress(ctx, message.sender_id) };
}
