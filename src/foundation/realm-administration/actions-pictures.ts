import { recordAudit } from "@/foundation/audit/actions.ts";
import { exchangePicture } from "@/foundation/files/actions.ts";
import { keepPicture, removePicture } from "@/foundation/files/kept-pictures.ts";
import { square, within } from "@/foundation/files/pictures.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { type PictureFields, pictureFields, realmOf } from "@/foundation/realm/access.ts";
import { type RealmPicture, realmChanged } from "@/foundation/realm/schema.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { ReceivedFile } from "@/kernel/http/endpoint.ts";
import * as store from "./store.ts";

const iconSide = 100;

const logo = { width: 800, height: 100 };

export interface NewRealmPicture {
  which: RealmPicture;
  received: ReceivedFile;
}

export const setRealmPicture = operation(
  allow.admin,
  async (ctx, { which, received }: NewRealmPicture): Promise<PictureFields> => {
    allow.admin(ctx);
    const picture =
      which === "icon"
        ? await square(received.path, iconSide)
        : await within(received.path, logo.width, logo.height);
    const replaced = await keepPicture(ctx.env, { "": picture }, (file) =>
      replacePicture(ctx, { which, file }),
    );
    await removePicture(ctx.env, replaced.before);
    return replaced.fields;
  },
);

/** Removes a picture, so that clients show the generated one. */
export const deleteRealmPicture = operation(
  allow.admin,
  async (ctx, which: RealmPicture): Promise<PictureFields> => {
    const replaced = await replacePicture(ctx, { which, file: null });
    await removePicture(ctx.env, replaced.before);
    return replaced.fields;
  },
);

interface Replaced {
  fields: PictureFields;
  before: string | null;
}

const replacePicture = action(
  allow.admin,
  (tx, { which, file }: { which: RealmPicture; file: string | null }): Replaced => {
    const before = realmOf(tx)[`${which}_file`];
    if (file === null && before === null) return { fields: pictureFields(tx, which), before };

    exchangePicture(tx, file, before);
    store.setPicture(tx, which, file);
    const fields = pictureFields(tx, which);
    tx.emit(realmChanged, everyone, { property: which, data: { ...fields } });
    recordAudit(tx, { event: `realm_${which}_changed`, about: { kind: "realm" } });
    return { fields, before };
  },
);
