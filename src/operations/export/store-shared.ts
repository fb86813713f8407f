// The exports that administrators may request: public data, and private data of the people who consent.
import type { Task } from "@/kernel/lib/tasks.ts";
import { type ExportType, exportTypes } from "./schema.ts";
import { type ExportSection, type Narrowing, organizationSections } from "./sections.ts";
import { byMessage, ofConsenting, ofMessageShown } from "./store-conditions.ts";
import { userSections } from "./store-person.ts";
import type { ExportDatabase } from "./store-snapshot.ts";

/**
 * Collects what may be exported in temporary tables of this connection: `consenting` users, and the conversations in
 * `places`. Of a channel with protected history, only messages that one of these users received.
 */
export function* gatherShown(snapshot: ExportDatabase, type: ExportType): Task<void> {
  snapshot.run("CREATE TEMP TABLE consenting (user_id INTEGER PRIMARY KEY)");
  snapshot.run(
    "CREATE TEMP TABLE places (conversation_id INTEGER PRIMARY KEY, channel_id INTEGER UNIQUE, is_protected INTEGER)",
  );
  snapshot.run(
    "INSERT INTO places SELECT conversations.id, channel_id, 0 FROM conversations " +
      "JOIN channels ON channels.id = channel_id WHERE NOT invite_only",
  );
  yield 1;
  if (type === exportTypes.standard) yield* addThoseOfConsenting(snapshot);
}

function* addThoseOfConsenting(snapshot: ExportDatabase): Task<void> {
  snapshot.run(
    "INSERT INTO consenting SELECT id FROM users JOIN settings ON scope = 'user' AND owner_id = id " +
      "WHERE name = 'allow_private_data_export' AND value = 'true' AND is_active AND NOT is_bot",
  );
  const people = snapshot.query("SELECT user_id FROM consenting").all() as { user_id: number }[];
  const channels = snapshot.prepare(
    "INSERT OR IGNORE INTO places SELECT conversations.id, channels.id, NOT history_public_to_subscribers " +
      "FROM subscriptions JOIN channels ON channels.id = subscriptions.channel_id " +
      "JOIN conversations ON conversations.channel_id = channels.id WHERE user_id = ? AND is_subscribed",
  );
  const direct = snapshot.prepare(
    "INSERT OR IGNORE INTO places SELECT conversation_id, NULL, 0 FROM direct_participants WHERE user_id = ?",
  );
  for (const { user_id } of people) {
    channels.run(user_id);
    direct.run(user_id);
    yield 1;
  }
  channels.finalize();
  direct.finalize();
}

/** How much of the edit history is exported, by what readers may see of it. */
const shownEdits: Readonly<Record<EditsShown, Narrowing | null>> = {
  all: { where: ofMessageShown, walks: byMessage },
  moves: {
    columns: "message_id, user_id, edited_at, prev_topic, topic, prev_channel_id, channel_id",
    where: `(topic IS NOT NULL OR channel_id IS NOT NULL) AND ${ofMessageShown}`,
    walks: byMessage,
  },
  none: null,
};

export type EditsShown = "all" | "moves" | "none";

const botOfConsenting = `bot_id IN (SELECT id FROM users WHERE bot_owner_id ${ofConsenting})`;
const narrowedBots: Readonly<Record<string, Narrowing>> = {
  bot_services: { where: botOfConsenting },
  bot_storage: { where: botOfConsenting },
  webhook_templates: { where: botOfConsenting },
};

/** Sections of users that the organization's export does not have, with their names in this export. */
const personal: Readonly<Record<string, string>> = {
  settings: "user_settings",
  subscriptions: "subscription_settings",
  user_topics: "user_topics",
  alert_words: "alert_words",
  drafts: "drafts",
  saved_snippets: "saved_snippets",
  scheduled_messages: "scheduled_messages",
  reminders: "reminders",
  flagged_messages: "flagged_messages",
};

/** The sections of an export of this type, in order; `gatherShown` must run first. */
export function listSharedSections(type: ExportType, edits: EditsShown): ExportSection[] {
  const isStandard = type === exportTypes.standard;
  const more: Record<string, Narrowing | null> = {
    message_edits: shownEdits[edits],
    ...(isStandard ? narrowedBots : {}),
  };
  const ofAll = organizationSections.flatMap((section): ExportSection[] => {
    const narrowing = section.shared ?? more[section.name];
    return narrowing ? [{ ...section, ...narrowing }] : [];
  });
  return isStandard ? [...ofAll, ...userSections.flatMap(ofThoseWhoConsent)] : ofAll;
}

/** Turns a section of one user into a section of all consenting users. */
function ofThoseWhoConsent({ owner, where, columns, order, ...section }: ExportSection): ExportSection[] {
  const name = personal[section.name];
  if (!name || !owner) return [];
  const theirs = `${owner} ${ofConsenting}`;
  return [
    {
      ...section,
      name,
      columns: `${owner} AS user_id, ${columns}`,
      where: where ? `${where} AND ${theirs}` : theirs,
      order: `${owner}, ${order}`,
    },
  ];
}
