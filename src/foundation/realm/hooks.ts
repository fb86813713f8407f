import { provided } from "@/kernel/hooks.ts";

interface SettableChannel {
  name: string;
  is_archived: 0 | 1;
  invite_only: 0 | 1;
}

export const realmHooks = {
  /** A channel that a setting of the organization is to name, by ID; throws where the actor does not see it. */
  channel: provided<number, SettableChannel>("realmHooks.channel"),
};
