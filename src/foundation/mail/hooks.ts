import { hook } from "@/kernel/hooks.ts";
import type { Subscription } from "./access.ts";

export const mailHooks = {
  /** A person has unsubscribed from one kind of mail. */
  unsubscribed: hook<Subscription>(),
};
