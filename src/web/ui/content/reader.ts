// What rendering messages depends on: the reader's name, groups and settings.
import { useMemo } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { isMember } from "../../state/groups.ts";
import type { State } from "../../state/state.ts";
import type { ContentReader } from "./enhance.ts";

let last: { groups: State["groups"]; userId: number; ids: ReadonlySet<number> } | null = null;

function groupsOf({ groups, self }: State): ReadonlySet<number> {
  if (last?.groups === groups && last.userId === self.user_id) return last.ids;
  const ids = Object.keys(groups).map(Number);
  const own = new Set(ids.filter((id) => isMember(groups, id, self.user_id)));
  last = { groups, userId: self.user_id, ids: own };
  return own;
}

let known: { parts: readonly unknown[]; reader: ContentReader } | null = null;

/** The same object until something in it changes, so that messages are not rendered again. */
export function useReader(): ContentReader {
  const { emoji_data: emojiData } = useClient().boot;
  const userId = useSelect((state) => state.self.user_id);
  const groupIds = useSelect(groupsOf);
  const settings = useSelect((state) => state.user_settings);
  const alertWords = useSelect((state) => state.alert_words);
  const twentyFourHours = settings.twenty_four_hour_time;
  const drawsEmoji = settings.emojiset !== "text";
  const movingPictures = settings.web_animate_image_previews;
  const mediaScale = useSelect((state) => state.organization.realm_media_preview_size) / 100;
  return useMemo(() => {
    const parts = [
      userId,
      groupIds,
      twentyFourHours,
      drawsEmoji,
      movingPictures,
      mediaScale,
      alertWords,
      emojiData,
    ];
    if (known?.parts.every((part, i) => part === parts[i])) return known.reader;
    const reader: ContentReader = {
      userId,
      groupIds,
      twentyFourHours,
      drawsEmoji,
      movingPictures,
      mediaScale,
      alertWords,
      emojiData,
    };
    known = { parts, reader };
    return reader;
  }, [userId, groupIds, twentyFourHours, drawsEmoji, movingPictures, mediaScale, alertWords, emojiData]);
}
