// The messages of a Zulip export, in files of a thousand, with their edits and stars.
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { checkValue } from "@/operations/import/intake/checking.ts";
import type { UnpackedFiles } from "@/operations/import/intake/contents.ts";
import type { Intake } from "@/operations/import/intake/intake.ts";
import { topicOf } from "@/operations/import/intake/names.ts";
import type { ExportReading } from "@/operations/import/intake/reading.ts";
import type { ImportedEdit, ImportedMessage } from "@/operations/import/schema.ts";
import { membersOf, recipientTypes } from "./recipients.ts";
import { editHistory, messageFile, type ZulipEdit, type ZulipMessage, type ZulipRealm } from "./schema.ts";
import { fromZulip, type ZulipNames } from "./text.ts";

const starredFlag = 2;
export const votesLost = "votes and other changes in polls and to-do lists";

/** The channel or the people that a recipient refers to. */
type Places = (recipient: string, sender: string, topic: string) => ImportedMessage["place"] | null;

function placesOf(realm: ZulipRealm): Places {
  const types = new Map(realm.zerver_recipient.map((one) => [one.id, one]));
  const groups = membersOf(realm, recipientTypes.group);
  return (recipient, sender, topic) => {
    const found = types.get(recipient);
    if (found?.type === recipientTypes.channel) return { channel: found.type_id, topic: topicOf(topic) };
    if (found?.type === recipientTypes.person) return { people: [...new Set([sender, found.type_id])] };
    if (found?.type !== recipientTypes.group) return null;
    return { people: [...new Set([...(groups.get(recipient)?.members ?? []), sender])] };
  };
}

export function takeMessages(
  realm: ZulipRealm,
  contents: UnpackedFiles,
  { intake, onProgress }: Pick<ExportReading, "intake" | "onProgress">,
): void {
  const names = namesOf(realm, intake);
  const placeOf = placesOf(realm);
  const files = contents.namesIn("").filter((name) => /^messages-\d+\.json$/.test(name));
  for (const [index, name] of files.entries()) {
    onProgress("Reading messages", index, files.length);
    const { zerver_message, zerver_usermessage, zerver_submessage } =
      contents.json(name, messageFile) ?? fail("BAD_REQUEST", `${name} is missing.`);
    for (const message of zerver_message) {
      const at = message.date_sent ?? message.pub_date;
      const place = placeOf(message.recipient, message.sender, message.subject);
      if (at === null || place === null)
        fail(
          "BAD_REQUEST",
          `${name}: message ${message.id} has no ${at === null ? "time" : "known recipient"}.`,
        );
      takeMessage(message, { at, place, names, intake });
    }
    intake.spool.lose(votesLost, zerver_submessage);
    for (const { user_profile, message, flags_mask } of zerver_usermessage)
      if (((flags_mask ?? 0) & starredFlag) !== 0) intake.addStar(message, user_profile);
  }
  if (files.length === 0) intake.spool.lose("all messages: the export has no file with messages");
}

function takeMessage(
  { id, sender, content, edit_history, subject }: ZulipMessage,
  {
    at,
    place,
    names,
    intake,
  }: { at: number; place: ImportedMessage["place"]; names: ZulipNames; intake: Intake },
): void {
  const shown = fromZulip(content, names);
  if (shown.trim() === "") {
    intake.spool.lose("empty messages");
    return;
  }
  const edits = editsOf(edit_history, { names, sender, topic: subject, where: `message ${id}` });
  intake.addMessage({ key: id, at, sender, place, content: shown, edits, isPinned: false });
}

/** Zulip lists edits newest first; each has the text from before it. */
function editsOf(
  given: ZulipMessage["edit_history"],
  { names, sender, topic, where }: { names: ZulipNames; sender: string; topic: string; where: string },
): ImportedEdit[] {
  if (!given) return [];
  const list = checkValue(
    typeof given === "string" ? jsonOf(given) : given,
    editHistory,
    `edit_history of ${where}`,
  );
  let later = topic;
  return list
    .map((entry): ImportedEdit => {
      const before = topicBefore(entry);
      const edit = editOf(entry, { before, after: entry.topic ?? later, names, sender });
      if (before !== null) later = before;
      return edit;
    })
    .reverse();
}

const topicBefore = ({ prev_topic, prev_subject }: ZulipEdit) => prev_topic ?? prev_subject ?? null;

function editOf(
  { user_id, timestamp, prev_content, prev_stream, stream }: ZulipEdit,
  {
    before,
    after,
    names,
    sender,
  }: { before: string | null; after: string; names: ZulipNames; sender: string },
): ImportedEdit {
  const isMoved =
    prev_stream != null && stream != null && names.hasChannel(prev_stream) && names.hasChannel(stream);
  return {
    by: user_id ?? sender,
    at: timestamp,
    before: prev_content == null ? null : fromZulip(prev_content, names),
    topic: before === null ? null : { from: topicOf(before), to: topicOf(after) },
    channel: isMoved ? { from: prev_stream, to: stream } : null,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function namesOf(realm: ZulipRealm, intake: Intake): ZulipNames {
  return {
    people: new Map(realm.zerver_userprofile.map(({ full_name, id }) => [full_name.toLowerCase(), id])),
    channels: new Map(realm.zerver_stream.map(({ name, id }) => [name.toLowerCase(), id])),
    hasPerson: (key) => intake.people.has(key),
    hasChannel: (key) => intake.channels.has(key),
    hasFile: (key) => intake.spool.hasFile(key),
  };
}
