import { deactivateUser } from "@/foundation/accounts/actions.ts";
import { mayKnow } from "@/foundation/acquaintance/access.ts";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { translatorToAll } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { limits, realmSettings, reportReasons } from "@/foundation/realm/schema.ts";
import { shorten } from "@/foundation/realm/texts.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { strangerFacts } from "@/foundation/users/present.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { actingAs, action, operation } from "@/kernel/core/operation.ts";
import { fail, type Sentence } from "@/kernel/lib/errors.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { messageFor } from "@/messaging/messages/access.ts";
import { deleteReportedMessage } from "@/messaging/messages/actions.ts";
import { quotation } from "@/messaging/messages/quotes.ts";
import { mentionOf, noticeTopic } from "@/places/channels/queries.ts";
import { conversation } from "@/places/conversations/access.ts";
import { sentence } from "@/text/language/tables.ts";
import { withoutIsolates } from "@/text/language/translator.ts";
import { quote, quoteWithin } from "@/text/quoting/quoting.ts";
import { userReference } from "@/text/quoting/references.ts";
import { mayHandle, moderating, moderationChannel, moderators, reportFor } from "./access.ts";
import { acts, type Decision, type Handling, type NewReport, reportsChanged } from "./schema.ts";
import type { StoredReport } from "./store.ts";
import * as store from "./store.ts";

/** Reports a message to the moderators. */
export const reportMessage = action(allow.user, (tx, input: NewReport): void => {
  const channel =
    moderationChannel(tx) ?? fail("BAD_REQUEST", "This organization has no channel for message reports.");
  const row = messageFor(tx, input.message_id);
  if (input.report_type === "other" && input.description === "") {
    fail("BAD_REQUEST", "Please describe what is wrong with this message.");
  }

  const topic = noticeTopic(channel, topicAbout(tx, row));
  const notice_id = sendNotice(tx, {
    to: { channelId: channel.id, topic },
    content: noticeOf(tx, row, input),
  });
  const { channel_id } = conversation(tx, row.conversation_id);
  store.insertReport(tx, {
    ...input,
    ...{ reported_id: row.sender_id, reporter_id: me(tx).id, notice_id, channel_id, content: row.content },
    topic: channel_id === null ? null : row.topic,
  });
  tx.emit(reportsChanged, moderators(tx), {});
});

/**
 * Decides about a report: does what is to be done, or dismisses it, or opens it again. What is done about a message is done about
 * all its open reports. A moderator who is reported leaves that to others.
 */
export const handleReport = operation(moderating, async (ctx, handling: Handling): Promise<void> => {
  const made = await decide(ctx, handling);
  if (made.acts.length === 0) return;
  const used = new TimeUsed();
  while (await decideOthers(ctx, made)) await nextSlice(used);
});

/** A decision that has been made, and about which message. */
interface Made extends Omit<Decision, "id"> {
  message_id: number;
}

const decide = action(moderating, (tx, handling: Handling): Made => {
  const report = reportFor(tx, handling.report_id);
  if (!mayHandle(tx, report))
    fail("BAD_REQUEST", "This report is about a message of yours: another moderator has to handle it.");
  checkDecision(tx, report, handling);

  const { warning, note, is_handled, is_dismissed } = handling;
  if (handling.delete_message) deleteReportedMessage(tx, report.message_id);
  if (warning !== "") warnSender(tx, report, warning);
  const made: Made = {
    message_id: report.message_id,
    decided_at: tx.now,
    decided_by: me(tx).id,
    decision: !is_handled ? "reopened" : is_dismissed ? "dismissed" : "handled",
    acts: actsOf(handling),
    warning,
    note: is_handled ? note : "",
  };
  record(tx, report, made);
  if (handling.deactivate_sender) deactivateUser.in(tx, report.reported_id);
  tx.emit(reportsChanged, moderators(tx), {});
  return made;
});

const actsOf = (handling: Handling) =>
  acts.filter(
    (act) =>
      (act === "delete_message" && handling.delete_message) ||
      (act === "deactivate_sender" && handling.deactivate_sender) ||
      (act === "warn_sender" && handling.warning !== ""),
  );

function checkDecision(ctx: Ctx, report: StoredReport, handling: Handling): void {
  const doesNothing = actsOf(handling).length === 0;
  if (!handling.is_handled) {
    if (report.handled_at === null) fail("BAD_REQUEST", "This report is open.");
    if (handling.is_dismissed || !doesNothing)
      fail("BAD_REQUEST", "A report is either opened again or handled.");
    return;
  }
  if (report.handled_at !== null) fail("BAD_REQUEST", describeDecided(ctx, report));
  if (!handling.is_dismissed) return;
  if (!doesNothing) fail("BAD_REQUEST", "A report is dismissed where nothing is to be done.");
  if (handling.note === "") fail("BAD_REQUEST", "Please say why the report is dismissed.");
}

/** What another moderator did first. */
function describeDecided(ctx: Ctx, { handled_by, is_dismissed, acts }: StoredReport): Sentence {
  const name = handled_by === null ? "" : userFor(ctx, handled_by).full_name;
  if (is_dismissed) return sentence("{name} has dismissed this report already.", { name });
  const [act] = acts;
  if (act === "deactivate_sender")
    return sentence("{name} has handled this report already, and deactivated the sender.", { name });
  if (act === "delete_message")
    return sentence("{name} has handled this report already, and deleted the message.", { name });
  if (act === "warn_sender")
    return sentence("{name} has handled this report already, and warned the sender.", { name });
  return sentence("{name} has handled this report already.", { name });
}

const othersAtOnce = 10;

/** Decides the same about some other reports of the message; returns whether there may be more. */
const decideOthers = action(moderating, (tx, made: Made): boolean => {
  const others = store.findOpenOf(tx, made.message_id, othersAtOnce);
  for (const report of others) record(tx, report, made);
  if (others.length > 0) tx.emit(reportsChanged, moderators(tx), {});
  return others.length === othersAtOnce;
});

/** Stores a decision, records it, and answers the reporter. */
function record(tx: Tx, report: StoredReport, { message_id, ...made }: Made): void {
  const isReopened = made.decision === "reopened";
  store.insertDecision(tx, report.id, made);
  store.setState(tx, report.id, {
    handled_at: isReopened ? null : made.decided_at,
    handled_by: isReopened ? null : made.decided_by,
    handled_note: made.note,
    is_dismissed: made.decision === "dismissed",
    acts: made.acts,
  });
  recordAudit(tx, {
    event: `report_${made.decision}`,
    about: { kind: "report", id: report.id },
    personId: report.reported_id,
    data: {
      message: message_id,
      ...(made.acts.length > 0 && { acts: made.acts.join(", ") }),
      ...(made.warning !== "" && { warning: made.warning }),
      ...(made.note !== "" && { note: made.note }),
    },
  });
  if (!isReopened) answerReporter(tx, report, made);
}

/** Tells a reporter whether something was done, in their language. They do not learn what, why, or who did it. */
function answerReporter(
  tx: Tx,
  { reporter_id, reported_id }: StoredReport,
  { decision }: { decision: Decision["decision"] },
): void {
  const reporter = userFor(tx, reporter_id);
  if (!reporter.is_active || reporter.is_bot || reporter_id === tx.actor.id) return;
  const asReporter = actingAs(tx, { kind: "user", id: reporter_id, client: "Internal" });
  const { t } = translatorTo(tx, reporter_id);
  const sender = userFor(tx, reported_id);
  const name = mayKnow(asReporter, sender) ? userReference(sender) : strangerFacts(tx, sender.id).full_name;
  const content =
    decision === "dismissed"
      ? t(
          "The moderators have looked at your report about a message by {name}, and see no reason to do anything.",
          { name },
        )
      : t(
          "The moderators have looked at your report about a message by {name}, and have done something about it. Thank you.",
          { name },
        );
  sendNotice(asReporter, { to: { people: [reporter_id] }, content });
}

/** Sends a moderator's warning to the sender, below a quote of the message. It names no reporter. */
function warnSender(tx: Tx, { reported_id, content }: StoredReport, warning: string): void {
  const sender = userFor(tx, reported_id);
  if (sender.is_bot) fail("BAD_REQUEST", "A bot cannot be warned.");
  if (!sender.is_active)
    fail("BAD_REQUEST", "The sender's account is deactivated: nobody would read the warning.");
  const { t } = translatorTo(tx, reported_id);
  const { name: organization } = realmSettings.read(tx);
  const before = `${t("The moderators of {organization} write to you about a message of yours:", { organization })}\n`;
  const after = `\n\n${warning}`;
  const cut = (text: string, room: number) => shorten(text, room, `\n${t("[message truncated]")}`);
  const room = limits.max_message_length - before.length - after.length;
  const quoted = content === "" ? "" : quoteWithin(content, room, cut);
  sendNotice(tx, { to: { people: [reported_id] }, content: before + quoted + after });
}

/** Drops what is kept of these messages, which are deleted for good. */
export function dropReportedTexts(tx: Tx, messageIds: readonly number[]): void {
  store.dropTexts(tx, messageIds);
}

/** Drops what is kept of messages that were reported before a time, at most `max`. Returns how many it dropped. */
export function dropReportedTextsBefore(tx: Tx, until: number, max: number): number {
  return store.dropTextsBefore(tx, until, max);
}

/** Part of erasing a person: drops what is kept of their reported messages, at most `max`. Returns how many it dropped. */
export function dropReportedTextsOf(tx: Tx, senderId: number, max: number): number {
  return store.dropTextsOf(tx, senderId, max);
}

interface Rewording {
  /** The ID of the last report that was looked at before. */
  after: number;
  max: number;
  reword: (text: string) => string;
}

/** Part of erasing a person: rewords the next `max` reports. Returns the ID of the last of them, or null if no more follow. */
export function rewordReports(tx: Tx, { after, max, reword }: Rewording): number | null {
  const texts = store.findTexts(tx, after, max);
  for (const { id, ...before } of texts) {
    const now = {
      content: reword(before.content),
      description: reword(before.description),
      handled_note: reword(before.handled_note),
    };
    if (JSON.stringify(now) !== JSON.stringify(before)) store.setTexts(tx, id, now);
    for (const { id: made, note, warning } of store.findDecisions(tx, id, Number.MAX_SAFE_INTEGER)) {
      const words = { note: reword(note), warning: reword(warning) };
      if (words.note !== note || words.warning !== warning) store.setWords(tx, made, words);
    }
  }
  return texts.length < max ? null : (texts.at(-1)?.id ?? null);
}

function topicAbout(ctx: Ctx, row: MessageRow): string {
  const { t } = translatorToAll(ctx);
  const topic = withoutIsolates(t("Reports about {name}", { name: userFor(ctx, row.sender_id).full_name }));
  return shorten(topic, limits.max_topic_length, "...");
}

/** The notice to moderators: who reports which sender and why, then the description and the message in quote blocks. */
function noticeOf(tx: Tx, row: MessageRow, { report_type, description }: NewReport): string {
  const translator = translatorToAll(tx);
  const { t } = translator;
  const names = { person: mentionOf(tx, me(tx).id), sender: mentionOf(tx, row.sender_id) };
  const isDirect = conversation(tx, row.conversation_id).channel_id === null;
  const news = isDirect
    ? t("{person} reported a direct message by {sender}.", names)
    : t("{person} reported a message by {sender}.", names);
  const parts = [
    `${news}\n${t("**Reason**: {reason}", { reason: t(reportReasons[report_type]) })}`,
    ...(description === "" ? [] : [quote(description)]),
  ];
  const before = `${parts.join("\n\n")}\n\n`;
  return before + quotation(tx, translator, row, limits.max_message_length - before.length);
}
