import { hook } from "@/kernel/hooks.ts";
import type { Subscription } from "./access.ts";

export const mailHooks = {
  /** A person wants no more mails of a kind. */
  unsubscribed: hook<Subscription>(),
};
