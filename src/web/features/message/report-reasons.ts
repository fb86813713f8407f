import type { ReportType } from "@/messaging/reports/schema.ts";
import { t } from "../../lib/texts.ts";

/** Why a message is reported. */
export const reportReasons: readonly { value: ReportType; label: string }[] = [
  { value: "spam", label: t("Spam") },
  { value: "harassment", label: t("Harassment") },
  { value: "inappropriate", label: t("Inappropriate content") },
  { value: "norms", label: t("Against the organization's customs") },
  { value: "other", label: t("Something else") },
];
