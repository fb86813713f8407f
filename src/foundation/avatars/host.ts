import { exchangePicture, keepPicture } from "@/foundation/files/kept-pictures.ts";
import { square } from "@/foundation/files/pictures.ts";
import type { Ctx } from "@/kernel/context.ts";
import { userFor } from "./access.ts";
import { avatarSides } from "./schema.ts";
import * as store from "./store.ts";

/** Gives an imported account the picture in a file, unless it has one. */
export async function importAvatar(
  ctx: Ctx,
  { userId, path }: { userId: number; path: string },
): Promise<void> {
  if (userFor(ctx, userId).avatar_file !== null) return;
  const forms = {
    "": await square(path, avatarSides.plain),
    "-medium": await square(path, avatarSides.medium),
  };
  await keepPicture(ctx.env, forms, (file) =>
    ctx.db.write(ctx, (tx) => {
      exchangePicture(tx, file, null);
      store.setAvatar(tx, userId, file);
    }),
  );
}
