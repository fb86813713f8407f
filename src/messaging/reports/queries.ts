import { isAdmin, me } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { findMessageById, mayDeleteAny, readableMessage } from "@/messaging/messages/access.ts";
import { findChannel, isAllowed, sharesHistory } from "@/places/channels/access.ts";
import { conversation } from "@/places/conversations/access.ts";
import { mayHandle, moderating, reportFor } from "./access.ts";
import { type Act, acts, maxReports, type Report, type ReportDetails, type ReportFilter } from "./schema.ts";
import type { StoredReport } from "./store.ts";
import * as store from "./store.ts";

const maxDecisions = 100;

/** Reports, newest first, at most 1,000; for moderators. */
export const listReports = query(moderating, (ctx, wanted: ReportFilter & { limit: number }): Report[] =>
  store
    .findReports(ctx, { ...wanted, limit: Math.min(wanted.limit, maxReports) })
    .map(({ content, topic: _, ...report }) => ({ ...report, excerpt: content })),
);

export const countOpenReports = query(moderating, (ctx): number => store.countOpen(ctx));

/** A report with what one needs to decide about it; of what the moderator cannot read, only what the reporter has shown. */
export const showReport = query(moderating, (ctx, id: number): ReportDetails => {
  const { content, topic, ...report } = reportFor(ctx, id);
  const channel = report.channel_id === null ? null : findChannel(ctx, report.channel_id);
  const is_readable = readableMessage(ctx, report.message_id) !== null;
  const may_handle = mayHandle(ctx, report);
  return {
    ...report,
    excerpt: content.slice(0, store.excerptLength),
    topic:
      is_readable || (channel && isAllowed(ctx, channel, "read") && sharesHistory(channel)) ? topic : null,
    content,
    rendered_content: renderText(ctx, content).html,
    is_deleted: findMessageById(ctx, report.message_id) === null,
    is_readable,
    may_handle,
    possible_acts: may_handle ? possibleActs(ctx, report) : [],
    decisions: store.findDecisions(ctx, id, maxDecisions),
    open_others: store.countOpenOf(ctx, report.message_id) - (report.handled_at === null ? 1 : 0),
  };
});

function possibleActs(
  ctx: Ctx,
  { message_id, reported_id }: Pick<StoredReport, "message_id" | "reported_id">,
): Act[] {
  const sender = userFor(ctx, reported_id);
  const message = findMessageById(ctx, message_id);
  const { role } = me(ctx);
  const isPossible: Record<Act, boolean> = {
    deactivate_sender:
      sender.is_active === 1 &&
      sender.system_bot === null &&
      isAdmin({ role }) &&
      (sender.role !== roles.owner || role === roles.owner),
    delete_message:
      message !== null && mayDeleteAny(ctx, conversation(ctx, message.conversation_id).channel_id),
    warn_sender: sender.is_active === 1 && !sender.is_bot,
  };
  return acts.filter((act) => isPossible[act]);
}
