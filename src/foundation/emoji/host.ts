import { exchangePicture } from "@/foundation/files/actions.ts";
import { keepPicture } from "@/foundation/files/kept-pictures.ts";
import { icon } from "@/foundation/files/pictures.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { extraPicture } from "./extra.ts";
import { emojiLimits } from "./schema.ts";
import * as store from "./store.ts";

/** Why an emoji was not imported; null if it was, or existed already. */
export type EmojiFault = "too many" | null;

/** Adds a custom emoji from a file, unless there is one with its name. */
export async function importEmoji(
  ctx: Ctx,
  { name, path, author_id }: { name: string; path: string; author_id: number | null },
): Promise<EmojiFault> {
  if (store.findActive(ctx, name)) return null;
  if (store.listEmoji(ctx).length >= emojiLimits.max) return "too many";
  const { picture, still } = await icon(path, emojiLimits.side);
  const forms = { "": picture, ...(still && { "-still": still }) };
  await keepPicture(ctx.env, forms, (file) =>
    addImported(ctx, { name, file, is_animated: still ? 1 : 0, author_id }),
  );
  return null;
}

const addImported = action(allow.system, (tx, emoji: Parameters<typeof store.insertEmoji>[1]): void => {
  exchangePicture(tx, emoji.file, null);
  store.insertEmoji(tx, emoji);
});

/** A picture for an emoji whose own is missing: a PNG of 64 by 64 pixels. */
export function standInPicture(): Promise<Uint8Array<ArrayBuffer>> {
  return extraPicture();
}
