import { exchangePicture } from "@/foundation/files/actions.ts";
import { keepPicture, removePicture } from "@/foundation/files/kept-pictures.ts";
import { square } from "@/foundation/files/pictures.ts";
import { allow, isAdmin, me } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { userFor, userToChange } from "@/foundation/users/access.ts";
import { emitUserChange, recordAccountChange } from "@/foundation/users/actions.ts";
import { avatarFields } from "@/foundation/users/present.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { ReceivedFile } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { mediumSide, side } from "./access.ts";
import * as store from "./store.ts";

/** Sets a user's picture from a file; returns its URL. */
export const setAvatar = operation(
  allow.user,
  async (ctx, { user_id, received }: { user_id: number; received: ReceivedFile }): Promise<string> => {
    allow.user(ctx);
    avatarOwnerFor(ctx, user_id);
    const forms = {
      "": await square(received.path, side),
      "-medium": await square(received.path, mediumSide),
    };
    const { url, before } = await keepPicture(ctx.env, forms, (file) =>
      replaceAvatar(ctx, { user_id, file }),
    );
    await removePicture(ctx.env, before);
    return url;
  },
);

/** Removes a user's picture, so that they have the generated one; returns its URL. */
export const deleteAvatar = operation(allow.user, async (ctx, user_id: number): Promise<string> => {
  const { url, before } = await replaceAvatar(ctx, { user_id, file: null });
  await removePicture(ctx.env, before);
  return url;
});

const replaceAvatar = action(
  allow.user,
  (
    tx,
    { user_id, file }: { user_id: number; file: string | null },
  ): { url: string; before: string | null } => {
    const user = avatarOwnerFor(tx, user_id);
    const before = user.avatar_file;
    if (file !== null || before !== null) change(tx, user, file);
    return { url: avatarFields(tx, userFor(tx, user_id)).avatar_url, before };
  },
);

function change(tx: Tx, user: UserRow, file: string | null): void {
  replace(tx, user, file);
  if (user.id !== tx.actor.id) recordAccountChange(tx, user, "avatar_changed");
}

function replace(tx: Tx, user: UserRow, file: string | null): void {
  exchangePicture(tx, file, user.avatar_file);
  store.setAvatar(tx, user.id, file);
  emitUserChange(tx, user, avatarFields(tx, userFor(tx, user.id)));
}

/** Users may change their own picture, if the organization allows it, and their bots'; administrators anyone's. */
function avatarOwnerFor(ctx: Ctx, userId: number): UserRow {
  const user = userFor(ctx, userId);
  if (ctx.actor.kind === "system" || isAdmin(me(ctx))) return userToChange(ctx, userId);
  const isOwn = user.id === ctx.actor.id;
  if (!isOwn && user.bot_owner_id !== ctx.actor.id) allow.admin(ctx);
  if (!user.is_bot && realmSettings.read(ctx).avatar_changes_disabled) {
    fail("BAD_REQUEST", "Avatar changes are disabled in this organization.");
  }
  return user;
}

/** Removes the picture of a user who is erased. Returns the file, which the caller removes after the commit. */
export function dropAvatar(tx: Tx, user: UserRow): string | null {
  if (user.avatar_file !== null) replace(tx, user, null);
  return user.avatar_file;
}
