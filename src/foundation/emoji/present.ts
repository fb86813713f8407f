import { realmId } from "@/foundation/realm/schema.ts";
import type { EmojiById } from "./schema.ts";
import type { EmojiRow } from "./store.ts";

/** The URL of an emoji's picture. */
export function pictureUrl({ file }: Pick<EmojiRow, "file">): string {
  return `/user_avatars/${realmId}/emoji/images/${file}.webp`;
}

/** Emoji as clients read them. */
export function presentEmoji(rows: readonly EmojiRow[]): EmojiById {
  const shown = rows.map((row) => {
    const { id, name, author_id } = row;
    return {
      id: String(id),
      name,
      source_url: pictureUrl(row),
      still_url: row.is_animated ? pictureUrl({ file: `${row.file}-still` }) : null,
      deactivated: row.deactivated === 1,
      author_id,
    };
  });
  return Object.fromEntries(shown.map((one) => [one.id, one]));
}
