// What erasing takes and leaves, as the operator reads it before.

import { amountText, bytesText, type CountedNoun, listText } from "@/kernel/lib/wording.ts";
import type { ErasurePreview, MessageChoice, SentThings } from "./schema.ts";

const amountTexts = (counts: readonly CountedNoun[]) => counts.filter(([count]) => count > 0).map(amountText);

/** "4 messages (2 in public channels, 2 direct)" */
function messagesText({ messages }: SentThings): string {
  const { public_channels, private_channels, direct } = messages;
  const all = public_channels + private_channels + direct;
  const parts = [
    [public_channels, "in public channels"],
    [private_channels, "in private channels"],
    [direct, "direct"],
  ] as const;
  const shown = parts
    .filter(([count]) => count > 0)
    .map(([count, where]) => `${count.toLocaleString("en")} ${where}`);
  return `${amountText([all, "message"])}${all === 0 ? "" : ` (${shown.join(", ")})`}`;
}

/** What goes with the messages. */
function alongText({ reactions, files, file_bytes }: SentThings): string {
  const along = amountTexts([[reactions, "reaction"]]);
  if (files > 0) along.push(`${amountText([files, "file"])} of ${bytesText(file_bytes)}`);
  return along.length === 0 ? "" : ` with ${along.join(" and ")}`;
}

/** What deleting all that somebody sent takes. */
export function deletionSentence(sent: SentThings, name: string): string {
  const bots = sent.bots.length === 0 ? "" : " and their bots";
  return `This deletes ${messagesText(sent)} of ${name}${bots} for everyone${alongText(sent)}.`;
}

interface Person {
  name: string;
  address: string;
}

/** Each a sentence. */
export function erasureSentences(
  preview: ErasurePreview,
  { name, address }: Person,
  messages: MessageChoice,
): string[] {
  return [
    `This erases ${name} (${address}) for ever: ${goingText(preview)} go.`,
    messages === "keep"
      ? `Their ${messagesText(preview)} stay, as those of "Deleted user".`
      : `Their ${messagesText(preview)} are deleted for everyone${alongText(preview)}.`,
    ...botsSentence(preview),
    "Direct messages that others sent them stay with those.",
    copiesSentence(preview),
    "The audit log keeps their ID without a name.",
    `'confab export user ${address} FILE' writes their data to a file before.`,
  ];
}

function goingText({ belongings, has_picture, has_status, unlinked_files }: ErasurePreview): string {
  return listText([
    ...["name", "address", "settings", "presence"],
    ...(has_picture ? ["picture"] : []),
    ...(has_status ? ["status"] : []),
    ...amountTexts([
      [belongings.profile_values, "profile field"],
      [belongings.drafts, "draft"],
      [belongings.scheduled_messages, "scheduled message"],
      [belongings.reminders, "reminder"],
      [belongings.saved_snippets, "snippet"],
      [belongings.keys, "key"],
      [belongings.sessions, "session"],
      [belongings.groups, "membership of a group", "memberships of groups"],
      [belongings.subscriptions, "subscription"],
      [unlinked_files, "file that no message links to", "files that no message links to"],
    ]),
  ]);
}

function botsSentence({ bots }: ErasurePreview): string[] {
  const active = bots.filter(({ is_active }) => is_active);
  if (active.length === 0) return [];
  const names = active.map(({ full_name }) => full_name).join(", ");
  return [`${amountText([active.length, "bot is deactivated", "bots are deactivated"])}: ${names}.`];
}

function copiesSentence({ oldest_backup, newest_backup, exports }: ErasurePreview): string {
  const day = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);
  const known =
    oldest_backup === null || newest_backup === null
      ? "none is known here"
      : `known ones are from ${day(oldest_backup)} to ${day(newest_backup)}`;
  const held =
    exports === 0 ? "" : `, and so ${amountText([exports, "finished export does", "finished exports do"])}`;
  return `Older backups hold them until they are deleted (${known})${held}.`;
}
