import type { Act, Decision, Report } from "@/messaging/reports/schema.ts";
import { listNames, t } from "../../../lib/texts.ts";
import { reportReasons } from "../../message/report-reasons.ts";

export const whyOf = (type: string): string =>
  reportReasons.find(({ value }) => value === type)?.label ?? type;

const actNames: Readonly<Record<Act, string>> = {
  deactivate_sender: t("Account deactivated"),
  delete_message: t("Message deleted"),
  warn_sender: t("Sender warned"),
};

export function stateOf({ handled_at, is_dismissed, acts }: Report): string {
  if (handled_at === null) return t("Open|report");
  return wordsOf({ decision: is_dismissed ? "dismissed" : "handled", acts });
}

export function wordsOf({ decision, acts }: Pick<Decision, "decision" | "acts">): string {
  if (decision === "dismissed") return t("Dismissed|report");
  if (decision === "reopened") return t("Opened again");
  return acts.length === 0 ? t("Handled|report") : listNames(acts.map((act) => actNames[act]));
}
