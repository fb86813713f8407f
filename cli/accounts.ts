// Accounts as the command line prints them, for all commands that do.
import { z } from "zod";
import { listUsers } from "@/foundation/accounts/queries.ts";
import { roleName, roleNameOf } from "@/foundation/permissions/schema.ts";
import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { facts } from "./output.ts";

const accountShape = z.object({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  role: roleName,
});
export type Account = z.infer<typeof accountShape>;

export const accountWithKeyShape = accountShape.extend({ api_key: z.string() });
export type AccountWithKey = z.infer<typeof accountWithKeyShape>;

/** An account as printed after it was deactivated or reactivated. */
export const activeAccountShape = accountShape.extend({ is_active: z.boolean() });

/** A person or bot as printed alone or in a list. */
export const userShape = activeAccountShape.extend({ is_bot: z.boolean(), date_joined: z.string() });

export function presentAccount(user: User): z.infer<typeof userShape> {
  return { ...activeAccount(user), is_bot: user.is_bot, date_joined: user.date_joined };
}

/** Email addresses of users by ID. */
export function addressesOf(ctx: Ctx, user_ids: number[]): ReadonlyMap<number, string> {
  return new Map(listUsers(ctx, { user_ids }).map((user) => [user.user_id, addressOf(user)]));
}

export function account(user: User): Account {
  const { user_id, full_name, role } = user;
  return { user_id, email: addressOf(user), full_name, role: roleNameOf(role) };
}

export function activeAccount(user: User): z.infer<typeof activeAccountShape> {
  return { ...account(user), is_active: user.is_active };
}

export function accountWithKey({ user, api_key }: { user: User; api_key: string }): AccountWithKey {
  return { ...account(user), api_key };
}

export function stateOf({ is_active }: { is_active: boolean }): string {
  return is_active ? "active" : "deactivated";
}

/** The key, with a warning that it cannot be looked up later. */
export function keyFacts({ email, api_key }: Pick<AccountWithKey, "email" | "api_key">): string {
  return `${facts([
    ["Email", email],
    ["API key", api_key],
  ])}\nThe key is not shown again: only its hash is stored.`;
}
