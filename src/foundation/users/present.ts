import { roles } from "@/foundation/permissions/schema.ts";
import { picturePath, realmOf } from "@/foundation/realm/access.ts";
import { realmId } from "@/foundation/realm/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { generateAddress, hasOpenAddress, maySeeAddress } from "./addresses.ts";
import type { User, UserRow } from "./schema.ts";

/** A user as the actor's clients read it; with `clientGravatar`, clients compute the default picture themselves. */
export function presentUser(ctx: Ctx, row: UserRow, clientGravatar: boolean): User {
  if (ctx.actor.kind === "anonymous") return presentToSpectators(ctx, row);
  return presentAs(ctx, row, { clientGravatar, isSeen: maySeeAddress(ctx, row) });
}

/** A user's identity, without contact data or presence. */
function presentToSpectators(ctx: Ctx, row: UserRow): User {
  const shown = presentAs(ctx, row, { clientGravatar: false, isSeen: false });
  const date_joined = `${shown.date_joined.slice(0, 10)}T00:00:00+00:00`;
  return { ...shown, email: generateAddress(ctx, row.id), date_joined, timezone: "" };
}

/** Like `presentUser`, for readers who see the user's own address, or for those who do not. */
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
    date_joined: isoTime(row.date_joined),
    is_active: row.is_active === 1,
    is_owner: row.role === roles.owner,
    is_admin: row.role <= roles.admin,
    is_guest: row.role === roles.guest,
    is_bot: row.is_bot === 1,
    ...bot,
    role: row.role,
    timezone: row.timezone,
    // Clients cannot compute the picture from an address that they may not see.
    avatar_url: clientGravatar && isSeen && isMadeByClients(row) ? null : avatarUrl(reads, row),
    avatar_version: row.avatar_version,
    is_imported_stub: row.awaits_login === "imported",
  };
}

const isMadeByClients = (user: Pick<UserRow, "avatar_file" | "default_avatar">) =>
  user.avatar_file === null && user.default_avatar === "G";

/** Whether clients can compute a user's picture from the address that they see. */
export function isAvatarDerived(
  user: Pick<UserRow, "avatar_file" | "default_avatar" | "email" | "delivery_email">,
): boolean {
  return isMadeByClients(user) && hasOpenAddress(user);
}

/** The URL of a user's picture: their own, or the generated one. */
export function avatarUrl(reads: Reads, { id, avatar_file }: Avatar, size: "" | "-medium" = ""): string {
  if (avatar_file === null) return picturePath(reads, id).replace(".png", `${size}.png`);
  return `/user_avatars/${realmId}/${avatar_file}${size}.webp`;
}

type Avatar = Pick<UserRow, "id" | "avatar_file">;

/** The fields of a user event that describe their picture. */
export function avatarFields(
  reads: Reads,
  user: Avatar & Pick<UserRow, "avatar_version" | "default_avatar">,
) {
  return {
    avatar_url: avatarUrl(reads, user),
    avatar_url_medium: avatarUrl(reads, user, "-medium"),
    avatar_source: user.avatar_file === null ? user.default_avatar : "U",
    avatar_version: user.avatar_version,
  };
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "+00:00");
}

/** The placeholder for a user that the reader may not know. */
export function presentStranger(reads: Pick<Ctx, "db" | "env">, userId: number): User {
  return {
    user_id: userId,
    ...strangerFacts(reads, userId),
    delivery_email: null,
    date_joined: isoTime(realmOf(reads).date_created),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    role: roles.member,
    timezone: "",
    avatar_version: 1,
    is_imported_stub: false,
  };
}

/** The name and address in that placeholder. */
export function strangerFacts({ db, env }: Pick<Ctx, "db" | "env">, userId: number) {
  return {
    email: generateAddress({ env }, userId),
    full_name: "Unknown user",
    avatar_url: picturePath({ db }, 0),
  };
}
