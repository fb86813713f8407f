// The words before there is no more space for uploads.
import { scarcerSpace } from "@/messaging/uploads/fullness.ts";
import type { UploadSpace } from "@/messaging/uploads/schema.ts";
import { formatPartIn } from "@/text/language/amounts.ts";
import { formatBytes } from "./amounts.ts";
import { locale, t } from "./texts.ts";

/** What to say of the space; null while there is room. */
export function wordSpace(space: UploadSpace): { text: string; isLate: boolean } | null {
  const scarce = scarcerSpace(space);
  if (!scarce) return null;
  const { isOwn, isLate, part } = scarce;
  const values = {
    percent: formatPartIn(locale, part),
    used: formatBytes(scarce.used),
    quota: formatBytes(scarce.quota),
  };
  const text = isOwn
    ? t("Your files take up {percent} of the space that you may use: {used} of {quota}.", values)
    : t(
        "The organization’s files take up {percent} of the space that they may use: {used} of {quota}.",
        values,
      );
  return { text: isLate ? `${text} ${t("Once it is used up, uploads are refused.")}` : text, isLate };
}
