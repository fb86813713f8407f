import type { Reads } from "@/kernel/core/context.ts";
import { generatedPicture, realmOf } from "./access.ts";
import { realmId } from "./schema.ts";

export const realmPictures = ["icon", "logo", "night_logo"] as const;
export type RealmPicture = (typeof realmPictures)[number];

/** `icon_url` and `icon_source`, and their like. */
export type PictureFields = Record<`${RealmPicture}_${"url" | "source"}`, string>;

// Wire: clients read these letters as "generated", and "U" as "uploaded".
const madeSource: Record<RealmPicture, string> = { icon: "G", logo: "D", night_logo: "D" };

/** The URL of a picture of the organization, and whether it was uploaded. */
export function pictureFields(reads: Reads, which: RealmPicture): PictureFields {
  const file = realmOf(reads)[`${which}_file`];
  const url =
    file === null ? generatedPicture(reads, "realm") : `/user_avatars/${realmId}/realm/${file}.webp`;
  return {
    [`${which}_url`]: url,
    [`${which}_source`]: file === null ? madeSource[which] : "U",
  } as PictureFields;
}
