// What goes when accounts are deactivated.

import { roles } from "@/foundation/permissions/schema.ts";
import { listBots } from "@/foundation/users/queries.ts";
import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import type { Loss } from "./confirm.ts";

/** The accounts, who among them has a say, and the bots that end with their owners. */
export function lossOfUsers(ctx: Ctx, users: readonly User[], does = "deactivates"): Loss {
  const ids = new Set(users.map(({ user_id }) => user_id));
  const people = users.filter(({ is_bot }) => !is_bot);
  const having = (role: number) => people.filter((one) => one.role === role).length;
  const others = listBots(ctx).filter(
    ({ user_id, bot_owner_id, is_active }) => is_active && !ids.has(user_id) && ids.has(bot_owner_id ?? 0),
  );
  const bots = users.length - people.length;
  return {
    does,
    count: people.length > 0 ? [people.length, "person", "people"] : [bots, "bot"],
    among: [
      [having(roles.owner), "owner"],
      [having(roles.admin), "administrator"],
    ],
    along: [[(people.length > 0 ? bots : 0) + others.length, "bot"]],
    names: users.map((user) => `${user.full_name} (${addressOf(user)})`),
    note: "Their sessions, keys and queues end at once; their messages stay.",
  };
}
