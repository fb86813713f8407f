// Where names lead: the screen that shows a thing, with its row.
import { getUserByEmail, listUsers } from "@/foundation/accounts/queries.ts";
import type { Subject } from "@/foundation/audit/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { getMessage } from "@/messaging/message-pages/queries.ts";
import type { Fact, Jump } from "./screen.ts";

type Id = number | null | undefined;

const toRow = (to: string, select: number | string): Jump => ({ to, select, opens: true });

export const toChannel = (id: Id): Jump | null => (id == null ? null : toRow("Channels", id));

/** Null for accounts that no screen lists. */
export function toAccount(ctx: Ctx, id: Id): Jump | null {
  const [user] = id == null ? [] : listUsers(ctx, { user_ids: [id] });
  return user ? toRow(user.is_bot ? "Bots" : "Users", user.user_id) : null;
}

/** To the account with this address. */
export function toAddress(ctx: Ctx, email: string): Jump | null {
  try {
    return toAccount(ctx, getUserByEmail(ctx, { email }).user_id);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** To a message among those around it; null if the person at the console may not read it. */
export function toMessage(ctx: Ctx, id: number): Jump | null {
  const message = messageOrNull(ctx, id);
  if (!message) return null;
  const { display_recipient: to, stream_id } = message;
  const name = typeof to === "string" ? to : namesOf(to);
  return { ...toRow("Messages", id), scope: { id: stream_id ?? "all", name, near: id } };
}

const namesOf = (people: readonly { full_name: string }[]) =>
  people.map(({ full_name }) => full_name).join(", ");

/** Where a message is; its number, if the person at the console may not read it. */
export function messageText(ctx: Ctx, id: number): string {
  const message = messageOrNull(ctx, id);
  if (!message) return `message ${id}`;
  const { display_recipient: to, subject } = message;
  return typeof to === "string" ? `#${to} › ${subject || "general chat"}` : namesOf(to);
}

function messageOrNull(ctx: Ctx, message_id: number) {
  try {
    const asked = { message_id, apply_markdown: false, allow_empty_topic_name: true };
    return getMessage(ctx, asked).message ?? null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** A fact that says nothing of a row, but leads to what else is known of it. */
export const seeAlso = "See also";

export function auditFact(about: string): Fact {
  const all = { "audit by": "", "audit kind": "", "audit since": "", "audit until": "" };
  return [seeAlso, "entries of the audit log", { to: "Audit log", chosen: { ...all, "audit about": about } }];
}

const places: Partial<Record<Subject, string>> = {
  group: "Groups",
  channel: "Channels",
  topic: "Channels",
  folder: "Folders",
  linkifier: "Linkifiers",
  profile_field: "Profile fields",
  default_channel_group: "Channel groups",
  report: "Reports",
  export: "Exports",
  mail: "Mail",
  webhook: "Webhooks",
};

/** Screens whose rows do not have the audit log's IDs. */
const lists: Partial<Record<Subject, string>> = {
  realm: "Settings",
  invitation: "Invitations",
  emoji: "Emoji, pictures",
  domain: "Domains",
  server: "Log",
};

export function toSubject(ctx: Ctx, kind: Subject, id: number | null): Jump | null {
  if (kind === "user" || kind === "bot") return toAccount(ctx, id);
  if (kind === "message") return id === null ? null : toMessage(ctx, id);
  const to = places[kind];
  if (to !== undefined && id !== null) return toRow(to, id);
  const list = lists[kind] ?? to;
  return list === undefined ? null : { to: list };
}
