// Who may read a channel, in words.
import { t } from "../lib/texts.ts";
import type { Channel } from "./channels.ts";

export type Privacy = "web" | "public" | "shared" | "protected";

export const privacies: readonly { value: Privacy; label: string; hint: string }[] = [
  {
    value: "public",
    label: t("Everyone here"),
    hint: t("All members may read and join it. Guests see it when they are added."),
  },
  {
    value: "shared",
    label: t("Who is in it"),
    hint: t("Others do not learn that it exists. Who joins reads what was said before."),
  },
  {
    value: "protected",
    label: t("Who is in it, from when they join"),
    hint: t("Nobody reads what was said before they came."),
  },
  { value: "web", label: t("Everyone on the web"), hint: t("Without an account, too.") },
];

export function privacyOf(channel: Channel): Privacy {
  if (channel.is_web_public) return "web";
  if (!channel.invite_only) return "public";
  return channel.history_public_to_subscribers ? "shared" : "protected";
}

/** The parameters of the API; creating and changing name one of them differently. */
export function privacyParams(
  privacy: Privacy,
  isPrivate: "invite_only" | "is_private",
): Record<string, boolean> {
  return {
    [isPrivate]: privacy === "shared" || privacy === "protected",
    is_web_public: privacy === "web",
    history_public_to_subscribers: privacy !== "protected",
  };
}
