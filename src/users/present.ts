import { createHash } from "node:crypto";
import { cache } from "@/kernel/cache.ts";
import type { Ctx } from "@/kernel/context.ts";
import { roles } from "@/permissions/schema.ts";
import { realmOf } from "@/realm/access.ts";
import { maySeeAddress } from "./addresses.ts";
import type { User } from "./schema.ts";
import type { UserRow } from "./store.ts";

type Reads = Pick<Ctx, "db">;

/** A user as the actor's clients read it; with `clientGravatar`, they derive the default picture themselves. */
export function presentUser(ctx: Ctx, row: UserRow, clientGravatar: boolean): User {
  return presentAs(ctx, row, { clientGravatar, isSeen: maySeeAddress(ctx, row) });
}

/** As `presentUser`, for those who see the user's own address, or for those who do not. */
export function presentAs(
  reads: Reads,
  row: UserRow,
  { clientGravatar, isSeen }: { clientGravatar: boolean; isSeen: boolean },
): User {
  const bot = row.is_bot ? { bot_type: row.bot_type, bot_owner_id: row.bot_owner_id } : undefined;
  return {
    user_id: row.id,
    email: row.email,
    delivery_email: isSeen ? row.delivery_email : null,
    full_name: row.full_name,
    date_joined: new Date(row.date_joined * 1000).toISOString().replace(".000Z", "+00:00"),
    is_active: row.is_active === 1,
    is_owner: row.role === roles.owner,
    is_admin: row.role <= roles.admin,
    is_guest: row.role === roles.guest,
    is_bot: row.is_bot === 1,
    ...bot,
    role: row.role,
    timezone: row.timezone,
    // From an address that one may not see, no picture can be derived.
    avatar_url: clientGravatar && isSeen ? null : avatarUrl(reads, row.id),
    avatar_version: row.avatar_version,
  };
}

const avatarSeed = cache(["realm"], (reads, userId: number) =>
  createHash("sha256")
    .update(`${realmOf(reads).avatar_salt}:${userId}`)
    .digest("hex")
    .slice(0, 20),
);

/** Path of the picture made for a user; it gives nothing of them away. */
export function avatarUrl(reads: Reads, userId: number): string {
  return `/user_avatars/identicon/${avatarSeed(reads, userId)}.png`;
}
