import { recordAudit } from "@/foundation/audit/actions.ts";
import { exchangePicture } from "@/foundation/files/actions.ts";
import { keepPicture } from "@/foundation/files/kept-pictures.ts";
import { icon } from "@/foundation/files/pictures.ts";
import { allow, isAdmin, may, me } from "@/foundation/permissions/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { ReceivedFile } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { findBuiltInCode, presentEmoji } from "./access.ts";
import { emojiLimits, emojiUpdated } from "./schema.ts";
import * as store from "./store.ts";

export interface NewEmoji {
  name: string;
  received: Pick<ReceivedFile, "path">;
}

/** Adds a custom emoji to the organization. */
export const addEmoji = operation(allow.user, async (ctx, { name, received }: NewEmoji): Promise<void> => {
  checkMayAdd(ctx, name);
  const { picture, still } = await icon(received.path, emojiLimits.side);
  const forms = { "": picture, ...(still && { "-still": still }) };
  await keepPicture(ctx.env, forms, (file) => insertEmoji(ctx, { name, file, is_animated: still ? 1 : 0 }));
});

const insertEmoji = action(
  allow.user,
  (tx, emoji: { name: string; file: string; is_animated: 0 | 1 }): void => {
    checkMayAdd(tx, emoji.name);

    exchangePicture(tx, emoji.file, null);
    const author_id = tx.actor.kind === "user" ? tx.actor.id : null;
    const id = store.insertEmoji(tx, { ...emoji, author_id });
    emitEmoji(tx);
    recordAudit(tx, { event: "emoji_added", about: { kind: "emoji", id }, data: { name: emoji.name } });
  },
);

function checkMayAdd(ctx: Ctx, name: string): void {
  checkMayUse(ctx);
  const overrides = findBuiltInCode(name) !== null;
  if (overrides && !mayAdminister(ctx)) {
    fail("BAD_REQUEST", "Only administrators can override default emoji.");
  }
  if (store.findActive(ctx, name)) fail("BAD_REQUEST", "A custom emoji with this name already exists.");
  if (store.listEmoji(ctx).length >= emojiLimits.max) {
    fail(
      "BAD_REQUEST",
      `An organization can have at most ${emojiLimits.max} custom emoji, including deactivated ones.`,
    );
  }
}

function checkMayUse(ctx: Ctx): void {
  if (!may(ctx, "can_add_custom_emoji_group")) fail("BAD_REQUEST", "Insufficient permission");
}

function mayAdminister(ctx: Ctx): boolean {
  return ctx.actor.kind === "system" || isAdmin(me(ctx));
}

/** Deactivates an emoji, for its author or an administrator; messages and reactions that have it keep it. */
export const deactivateEmoji = action(allow.user, (tx, name: string): void => {
  const row = store.findActive(tx, name) ?? notCustom(name);
  if (!mayAdminister(tx)) {
    if (row.author_id !== me(tx).id)
      fail("BAD_REQUEST", "Must be an organization administrator or emoji author");
    checkMayUse(tx);
  }

  store.deactivate(tx, row.id);
  emitEmoji(tx);
  recordAudit(tx, { event: "emoji_deactivated", about: { kind: "emoji", id: row.id }, data: { name } });
});

function notCustom(name: string): never {
  if (findBuiltInCode(name) === null) fail("MISSING", sentence("Emoji ''{name}'' does not exist", { name }));
  fail(
    "MISSING",
    sentence("Emoji ''{name}'' comes with the server: only custom emoji can be deactivated.", { name }),
  );
}

function emitEmoji(tx: Tx): void {
  tx.emit(emojiUpdated, everyone, { realm_emoji: presentEmoji(store.listEmoji(tx)) });
}
