import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { subscriptionOf } from "./access.ts";
import { mailHooks } from "./hooks.ts";
import type { MailKind } from "./schema.ts";

/** Turns off the mails of an unsubscribe link. */
export const unsubscribe = action(allow.anyone, (tx, token: string): MailKind => {
  const found = subscriptionOf(tx, token);
  if (!found || !memberOf(tx, found.userId).is_active) {
    fail("MISSING", "This link for unsubscribing does not work. Was it copied in full?");
  }
  mailHooks.unsubscribed(tx, found);
  return found.kind;
});
