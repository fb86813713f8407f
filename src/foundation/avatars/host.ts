import { exchangePicture } from "@/foundation/files/actions.ts";
import { keepPicture } from "@/foundation/files/kept-pictures.ts";
import { square } from "@/foundation/files/pictures.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { mediumSide, side } from "./access.ts";
import * as store from "./store.ts";

/** Gives an imported account the picture in a file, unless it has one. */
export async function importAvatar(
  ctx: Ctx,
  { userId, path }: { userId: number; path: string },
): Promise<void> {
  if (userFor(ctx, userId).avatar_file !== null) return;
  const forms = {
    "": await square(path, side),
    "-medium": await square(path, mediumSide),
  };
  await keepPicture(ctx.env, forms, (file) => setImported(ctx, { userId, file }));
}

const setImported = action(allow.system, (tx, { userId, file }: { userId: number; file: string }): void => {
  exchangePicture(tx, file, null);
  store.setAvatar(tx, userId, file);
});
