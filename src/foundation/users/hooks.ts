import type { Role } from "@/foundation/permissions/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { hook, soleHook } from "@/kernel/store/hooks.ts";
import type { UserRow } from "./schema.ts";

export interface PersonAdded {
  userId: number;
  role: Role;
  address: string;
}

export interface RoleChange {
  userId: number;
  from: Role;
  to: Role;
}

export interface BotGiven {
  bot: UserRow;
  /** The former owner. */
  from: number | null;
  to: number;
  /** False if the bot keeps its keys. */
  endsKeys: boolean;
}

export interface PasswordChange {
  userId: number;
  /** Whether the person's devices stay signed in, because they chose so. */
  keepsDevices: boolean;
}

export const userHooks = {
  /** An administrator has added people. */
  added: hook<readonly PersonAdded[]>(),
  /** An active user's role is about to change; the returned function is called after the change. */
  roleChanges: hook<RoleChange, () => void>(),
  /** An account, given by ID, is about to be deactivated. */
  deactivates: hook<number>(),
  /** An account, given by ID, has just been deactivated; no event has been emitted yet. */
  deactivated: hook<number>(),
  /** An account, given by ID, is active again. */
  reactivated: hook<number>(),
  /** The password of a person has just been changed. */
  passwordChanged: hook<PasswordChange>(),
  /** The owner of a new organization, given by ID, has a password: their first visit is no longer awaited. */
  firstVisitEnded: hook<number>(),
  /** The user, given by ID, has just signed in, by a key or a session. */
  signedIn: hook<number>(),
  /** A person, given by ID, has another address. */
  addressChanged: hook<number>(),
  /**
   * The account, given by ID, turned out to be that of the person who reads mail at its address, which nobody had proved before: what
   * opened it so far may be somebody else's.
   */
  claimed: hook<number>(),
  /** API keys of an account have just ended. */
  keysEnded: hook<{ userId: number; keyIds: readonly number[] }>(),
  /** A bot has a new owner. */
  botGiven: hook<BotGiven>(),
  /** The ID of the newest message that the actor has received, or 0. */
  newestMessage: soleHook<void, Task<number>, Ctx>("userHooks.newestMessage"),
};
