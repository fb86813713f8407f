import { provided } from "@/kernel/hooks.ts";

interface SettableChannel {
  name: string;
  is_archived: 0 | 1;
  invite_only: 0 | 1;
}

export const realmHooks = {
  /** A channel, by ID, for a setting of the organization; throws if the actor cannot see it. */
  channel: provided<number, SettableChannel>("realmHooks.channel"),
};
