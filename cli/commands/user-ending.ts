// How many users a command changes, and what goes when accounts are deactivated: said before it asks.

import { listBots } from "@/foundation/accounts/queries.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Loss } from "../confirm.ts";

const botsAmong = (users: readonly User[]) => users.filter(({ is_bot }) => is_bot).length;

/** The users, and who among them has a say. */
export function countOfUsers(users: readonly User[], does: string): Loss {
  const bots = botsAmong(users);
  const people = users.length - bots;
  const having = (role: number) => users.filter((one) => !one.is_bot && one.role === role).length;
  return {
    does,
    count: people > 0 ? [people, "person", "people"] : [bots, "bot"],
    among: [
      [having(roles.owner), "owner"],
      [having(roles.admin), "administrator"],
    ],
    along: [[people > 0 ? bots : 0, "bot"]],
    names: users.map((user) => `${user.full_name} (${addressOf(user)})`),
  };
}

/** With the bots that end with their owners. */
export function lossOfUsers(ctx: Ctx, users: readonly User[], does = "deactivates"): Loss {
  const ids = new Set(users.map(({ user_id }) => user_id));
  const others = listBots(ctx).filter(
    ({ user_id, bot_owner_id, is_active }) => is_active && !ids.has(user_id) && ids.has(bot_owner_id ?? 0),
  );
  const bots = botsAmong(users);
  return {
    ...countOfUsers(users, does),
    along: [[(bots < users.length ? bots : 0) + others.length, "bot"]],
    note: "Their sessions, keys and queues end at once; their messages stay.",
  };
}
