import type { Act, Decision, Report } from "@/messaging/reports/schema.ts";
import { t } from "../../../lib/texts.ts";
import { reportReasons } from "../../message/report-reasons.ts";

export const whyOf = (type: string): string =>
  reportReasons.find(({ value }) => value === type)?.label ?? type;

const actNames: Readonly<Record<Act, string>> = {
  deactivate_sender: t("Account deactivated"),
  delete_message: t("Message deleted"),
  warn_sender: t("Sender warned"),
};

/** In a word. */
export function stateOf({ handled_at, is_dismissed }: Pick<Report, "handled_at" | "is_dismissed">): string {
  if (handled_at === null) return t("Open|report");
  return is_dismissed ? t("Dismissed|report") : t("Handled|report");
}

/** What a decision was: each thing that was done. */
export function wordsOf({ decision, acts }: Pick<Decision, "decision" | "acts">): readonly string[] {
  if (decision === "dismissed") return [t("Dismissed|report")];
  if (decision === "reopened") return [t("Opened again")];
  return acts.length === 0 ? [t("Handled|report")] : acts.map((act) => actNames[act]);
}
