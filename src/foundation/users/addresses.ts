// Who sees a person's own e-mail address, and which address others see.

import { strangersTo } from "@/foundation/acquaintance/access.ts";
import { memberOf, usersUpTo } from "@/foundation/permissions/access.ts";
import { type Role, roles } from "@/foundation/permissions/schema.ts";
import { botDomain } from "@/foundation/realm/access.ts";
import { settingOf, usersWhoChanged } from "@/foundation/user-settings/access.ts";
import { type AddressVisibility, addressVisibility } from "@/foundation/user-settings/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import type { UserRow } from "./schema.ts";

type Addressed = Pick<UserRow, "id" | "is_bot" | "email" | "delivery_email">;

/** The weakest role that may see the address; null if no other user may. */
const weakestViewer: Record<AddressVisibility, Role | null> = {
  [addressVisibility.everyone]: roles.guest,
  [addressVisibility.members]: roles.member,
  [addressVisibility.moderators]: roles.moderator,
  [addressVisibility.admins]: roles.admin,
  [addressVisibility.nobody]: null,
};

/** True if everyone sees the person's own address. */
export function hasOpenAddress({
  email,
  delivery_email,
}: Pick<UserRow, "email" | "delivery_email">): boolean {
  return email === delivery_email;
}

/** Whether the actor may see the person's own address. */
export function maySeeAddress(ctx: Ctx, user: Addressed): boolean {
  const { kind, id } = ctx.actor;
  if (kind === "system") return true;
  if (kind === "anonymous") return false;
  return user.id === id || seesAddress(ctx, memberOf(ctx, id).role, user);
}

/** Whether people of a role may see another user's own address. */
export function seesAddress(reads: Reads, role: Role, user: Addressed): boolean {
  return user.is_bot === 1 || hasOpenAddress(user) || isVisibleTo(role, visibilityOf(reads, user.id));
}

export function isVisibleTo(role: Role, visibility: AddressVisibility): boolean {
  const weakest = weakestViewer[visibility];
  return weakest !== null && role <= weakest;
}

/** People whose own address is hidden from some users. */
export function peopleWithHiddenAddress(reads: Reads): ReadonlySet<number> {
  return usersWhoChanged(reads, "email_address_visibility");
}

/** How visible a user's own address is; a bot's is visible to everyone. */
export function visibilityOf(reads: Reads, userId: number): AddressVisibility {
  if (memberOf(reads, userId).is_bot) return addressVisibility.everyone;
  return settingOf(reads, userId, "email_address_visibility");
}

/** Active users who see a user's address at this visibility, always including the user. */
export function addressViewers(
  reads: Reads,
  userId: number,
  visibility: AddressVisibility,
): ReadonlySet<number> {
  const weakest = weakestViewer[visibility];
  const viewers = new Set([userId, ...(weakest === null ? [] : usersUpTo(reads, weakest))]);
  for (const stranger of strangersTo(reads, { id: userId, is_bot: 0 })) viewers.delete(stranger);
  return viewers;
}

/** The address in the API: the user's own if everyone sees it, otherwise a generated one for this user. */
export function visibleAddressOf(
  ctx: Pick<Ctx, "env">,
  user: Pick<UserRow, "id" | "delivery_email">,
  visibility: AddressVisibility,
): string {
  if (visibility === addressVisibility.everyone) return user.delivery_email;
  return generateAddress(ctx, user.id);
}

/** A generated address that reveals nothing of the user's own. */
export function generateAddress(ctx: Pick<Ctx, "env">, userId: number): string {
  return `user${userId}@${botDomain(ctx.env.site)}`;
}

/** Whether an address has the form of generated ones, which nobody may have as their own. */
export function isGeneratedAddress(ctx: Pick<Ctx, "env">, address: string): boolean {
  return userOfGenerated(ctx, address) !== null;
}

/** The ID in a generated address of a user; null for other addresses. */
export function userOfGenerated(ctx: Pick<Ctx, "env">, address: string): number | null {
  const [name = "", host = ""] = address.toLowerCase().split("@");
  const digits = host === botDomain(ctx.env.site).toLowerCase() ? /^user(\d+)$/.exec(name)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}
