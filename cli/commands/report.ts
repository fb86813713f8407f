import { z } from "zod";
import { listUsers } from "@/foundation/accounts/queries.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { handleReport } from "@/messaging/reports/actions.ts";
import { listReports, showReport } from "@/messaging/reports/queries.ts";
import {
  decision,
  decisionText,
  type Handling,
  handledNote,
  handling,
  noActs,
  type Report,
  report,
  reportDetails,
  reportFilter,
  stateText,
} from "@/messaging/reports/schema.ts";
import { flag, operand, option } from "../args.ts";
import { command } from "../command.ts";
import { confirmSentence, yes } from "../confirm.ts";
import { failUsage } from "../misuse.ts";
import { facts, harmlessLines, table, timeText } from "../output.ts";
import { countTo, numberOf, userWith } from "../values.ts";

const names = { reported: z.string(), reporter: z.string() };
const listed = report.extend(names);
const decided = decision.extend({ by: z.string() });
const shown = reportDetails.extend({ ...names, decisions: z.array(decided) });

const reportNumber = numberOf("a report's number");
const id = operand("ID", reportNumber, "the number that 'confab report list' shows");

function namesOf(ctx: Ctx, ids: readonly (number | null)[]): (id: number | null) => string {
  const found = listUsers(ctx, { user_ids: ids.filter((one) => one !== null) });
  const known = new Map(found.map((user) => [user.user_id, user.full_name]));
  return (id) => (id === null ? "" : (known.get(id) ?? ""));
}

function withNames<T extends Report>(ctx: Ctx, reports: readonly T[]) {
  const nameOf = namesOf(
    ctx,
    reports.flatMap(({ reported_id, reporter_id }) => [reported_id, reporter_id]),
  );
  return reports.map((one) => ({
    ...one,
    reported: nameOf(one.reported_id),
    reporter: nameOf(one.reporter_id),
  }));
}

const states = z.enum(["open", "handled", "all"]);
const person = z.string().trim().min(1).optional();

export default [
  command({
    name: "report list",
    isUnaudited: true,
    summary: "List reported messages, newest first",
    examples: ["confab report list --state open", "confab report list --of max@example.com --reason spam"],
    args: {
      state: option("STATE", states.default("all"), "open, handled or all"),
      of: option("EMAIL", person, "only messages of this person"),
      by: option("EMAIL", person, "only those that this person reported"),
      reason: option("REASON", reportFilter.shape.report_type, "why they were reported"),
      limit: option("N", countTo(9999).default(50), "how many"),
      before: option("ID", reportNumber.optional(), "only reports before this one"),
    },
    result: z.array(listed),
    run: (ctx, { state, of, by, reason: report_type, limit, before }) =>
      withNames(
        ctx,
        listReports(ctx, {
          ...{ limit, before, report_type },
          is_handled: state === "all" ? undefined : state === "handled",
          reported_id: of === undefined ? undefined : userWith(ctx, of).user_id,
          reporter_id: by === undefined ? undefined : userWith(ctx, by).user_id,
        }),
      ),
    print: (reports) =>
      table(
        ["ID", "TIME (UTC)", "MESSAGE", "OF", "BY", "WHY", "STATE", "DESCRIPTION"],
        reports.map((one) => [
          String(one.id),
          timeText(one.reported_at),
          String(one.message_id),
          one.reported,
          one.reporter,
          one.report_type,
          stateText(one),
          one.description,
        ]),
      ),
  }),

  command({
    name: "report show",
    isUnaudited: true,
    summary: "Show a report, with the message as it was and what was decided",
    examples: ["confab report show 7"],
    args: { report_id: id },
    result: shown,
    run(ctx, { report_id }) {
      const found = showReport(ctx, report_id);
      const nameOf = namesOf(
        ctx,
        found.decisions.map(({ decided_by }) => decided_by),
      );
      const decisions = found.decisions.map((one) => ({ ...one, by: nameOf(one.decided_by) }));
      const [named = { ...found, reported: "", reporter: "" }] = withNames(ctx, [found]);
      return { ...named, decisions };
    },
    print: (one) => {
      const parts = [
        facts([
          ["ID", String(one.id)],
          ["Reported", `${timeText(one.reported_at)} UTC by ${one.reporter}`],
          ["Why", one.report_type],
          ["Description", one.description],
          ["Message", `${one.message_id} of ${one.reported}${one.is_deleted ? ", deleted since" : ""}`],
          ["State", stateText(one)],
          [
            "Other reports",
            one.open_others === 0 ? "none open" : `${one.open_others} open of the same message`,
          ],
        ]),
        one.content === "" ? "The message as it was then is no longer kept." : harmlessLines(one.content),
      ];
      if (one.decisions.length > 0)
        parts.push(
          table(
            ["TIME (UTC)", "BY", "DECISION", "NOTE", "WARNING"],
            one.decisions.map((made) => [
              timeText(made.decided_at),
              made.by,
              decisionText(made),
              made.note,
              made.warning,
            ]),
          ),
        );
      return parts.join("\n\n");
    },
  }),

  command({
    name: "report handle",
    summary: "Mark a report as handled, and do what is to be done",
    examples: [
      "confab report handle 7 --note 'Talked to both.'",
      "confab report handle 7 --delete-message --warn 'Please stay friendly.'",
      "confab report handle 7 --reopen",
    ],
    args: {
      report_id: id,
      note: option("TEXT", handling.shape.note, "what was done, for other moderators"),
      delete_message: flag(z.boolean().default(false), "delete the message for everyone"),
      warn: option("TEXT", handling.shape.warning, "write this to the sender, below the message"),
      deactivate_sender: flag(z.boolean().default(false), "deactivate the sender's account"),
      reopen: flag(z.boolean().default(false), "mark it as open again"),
      yes,
    },
    result: z.object({ report_id: z.int(), is_handled: z.boolean() }),
    async run(ctx, { report_id, note, delete_message, warn: warning, deactivate_sender, reopen, yes }) {
      if (reopen && (delete_message || deactivate_sender || warning !== ""))
        failUsage("--reopen goes with nothing else");
      const acts = { delete_message, deactivate_sender, warning };
      const wanted = { ...noActs, ...acts, report_id, is_handled: !reopen, note };
      await confirmActs(ctx, wanted, yes);
      await handleReport(ctx, wanted);
      return { report_id, is_handled: !reopen };
    },
    print: ({ report_id, is_handled }) => `Report ${report_id} is ${is_handled ? "handled" : "open again"}.`,
  }),

  command({
    name: "report dismiss",
    summary: "Mark a report as handled because nothing is to be done",
    examples: ["confab report dismiss 7 --reason 'A joke among friends.'"],
    args: {
      report_id: id,
      reason: option("TEXT", handledNote, "why, for other moderators"),
    },
    result: z.object({ report_id: z.int() }),
    async run(ctx, { report_id, reason: note }) {
      await handleReport(ctx, { ...noActs, report_id, is_handled: true, is_dismissed: true, note });
      return { report_id };
    },
    print: ({ report_id }) => `Report ${report_id} is dismissed.`,
  }),
];

/** Asks before a message is deleted or its sender is deactivated. */
async function confirmActs(
  ctx: Ctx,
  { report_id, delete_message, deactivate_sender }: Handling,
  agreed: boolean,
): Promise<void> {
  if (!delete_message && !deactivate_sender) return;
  const { message_id, reported_id } = showReport(ctx, report_id);
  const name = namesOf(ctx, [reported_id])(reported_id);
  const does = [
    ...(delete_message ? [`deletes message ${message_id} of ${name} for everyone`] : []),
    ...(deactivate_sender ? [`deactivates ${name}: their access ends at once, and their messages stay`] : []),
  ];
  await confirmSentence(`This ${does.join(", and ")}.`, agreed);
}
