// Generates large exports in the formats of other chats: people, channels, threads, reactions and edits. All content follows from
// numbers, so that every run makes the same files.
import { createWriteStream, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { create } from "tar";
import { ZipFile } from "yazl";

const people = 500;
const channels = 100;
const perFile = 1000;
const start = 1_400_000_000;
const words =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau".split(
    " ",
  );
const emoji = ["tada", "+1", "heart", "eyes"];

const at = (n: number) => start + n * 20;
const senderOf = (n: number) => (n * 31) % people;
const isReply = (n: number) => n % 5 === 4;
const hasReaction = (n: number) => n % 10 === 0;
const isEdited = (n: number) => n % 100 === 0;
const emojiOf = (n: number) => emoji[n % emoji.length] ?? "tada";
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

function textOf(n: number, mention: (person: number) => string): string {
  const word = (k: number) => words[(n * 7 + k * 13) % words.length];
  const called = n % 20 === 0 ? `${mention((n * 17) % people)} ` : "";
  return `${called}Message ${n}: ${word(1)} ${word(2)} ${word(3)} ${word(4)} :tada: ${word(5)} https://example.com/${n}`;
}

function put(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function zip(folder: string, file: string): Promise<void> {
  const archive = new ZipFile();
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const path of names) archive.addFile(path, path.slice(folder.length + 1));
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(file));
}

/** The numbers of the messages of each file. */
function* portions(count: number): Generator<{ index: number; numbers: number[] }> {
  for (let from = 0, index = 0; from < count; from += perFile, index++)
    yield { index, numbers: range(Math.min(perFile, count - from)).map((n) => from + n) };
}

async function slack(count: number, folder: string, file: string): Promise<void> {
  const id = (n: number) => `U${String(n).padStart(6, "0")}`;
  const users = range(people).map((n) => ({
    ...{ id: id(n), name: `person${n}`, real_name: `Person ${n}`, is_owner: n === 0 },
    profile: { real_name: `Person ${n}`, email: `person${n}@example.com` },
  }));
  const members = users.map((user) => user.id);
  put(folder, "users.json", JSON.stringify(users));
  const listed = range(channels).map((n) => ({ id: `C${n}`, name: `channel-${n}`, created: start, members }));
  put(folder, "channels.json", JSON.stringify(listed));
  const ts = (n: number) => `${at(n)}.000100`;
  // A file of one channel and day holds a portion.
  for (const { index, numbers } of portions(count)) {
    const first = numbers[0] ?? 0;
    const list = numbers.map((n) => ({
      ...{ type: "message", user: id(senderOf(n)), text: textOf(n, (who) => `<@${id(who)}>`), ts: ts(n) },
      ...(isReply(n) && { thread_ts: ts(Math.max(first, n - 4)) }),
      ...(isReply(n + 4) && numbers.includes(n + 4) && { thread_ts: ts(n), reply_count: 1 }),
      ...(hasReaction(n) && { reactions: [{ name: emojiOf(n), users: [id(senderOf(n + 1))], count: 1 }] }),
      ...(isEdited(n) && { edited: { user: id(senderOf(n)), ts: ts(n + 1) } }),
    }));
    const day = new Date(Date.UTC(2010, 0, 1 + Math.floor(index / channels))).toISOString().slice(0, 10);
    put(folder, `channel-${index % channels}/${day}.json`, JSON.stringify(list, null, 4));
  }
  await zip(folder, file);
}

async function zulip(count: number, folder: string, file: string): Promise<void> {
  const top = join(folder, "zulip-export");
  const id = (n: number) => n + 1;
  const stream = (n: number) => ({
    ...{ id: n + 1, name: `channel ${n}`, description: "", invite_only: false, is_web_public: false },
    ...{ history_public_to_subscribers: true, deactivated: false, date_created: start, creator: 1 },
  });
  const recipient = (n: number) => 1000 + n;
  const reactions = range(count)
    .filter(hasReaction)
    .map((n) => ({
      ...{ id: n, user_profile: id(senderOf(n + 1)), message: n + 1, emoji_name: emojiOf(n) },
      ...{ emoji_code: "1f389", reaction_type: "unicode_emoji" },
    }));
  const realm = {
    zerver_realm: [{ id: 2, name: "Crew", string_id: "crew" }],
    zerver_userprofile: range(people).map((n) => ({
      ...{ id: id(n), full_name: `Person ${n}`, email: `person${n}@example.com`, role: n === 0 ? 100 : 400 },
      ...{ delivery_email: `person${n}@example.com`, is_active: true, is_bot: false, date_joined: start },
    })),
    zerver_stream: range(channels).map(stream),
    zerver_recipient: range(channels).map((n) => ({ id: recipient(n), type: 2, type_id: n + 1 })),
    zerver_subscription: range(channels).flatMap((n) =>
      range(people).map((who) => ({ user_profile: id(who), recipient: recipient(n), active: true })),
    ),
    zerver_reaction: reactions,
  };
  put(top, "realm.json", JSON.stringify(realm));
  put(top, "attachment.json", JSON.stringify({ zerver_attachment: [] }));
  for (const { index, numbers } of portions(count)) {
    const list = numbers.map((n) => ({
      ...{ id: n + 1, sender: id(senderOf(n)), recipient: recipient(n % channels), date_sent: at(n) },
      ...{ subject: `topic ${n % 997}`, content: textOf(n, (who) => `@**Person ${who}|${id(who)}**`) },
      ...{ rendered_content: "", has_attachment: false, sending_client: 1, edit_history: null },
      ...(isEdited(n) && {
        edit_history: JSON.stringify([
          { user_id: id(senderOf(n)), timestamp: at(n + 1), prev_content: "Before" },
        ]),
      }),
    }));
    // Of each message, a row for everyone who received it: 5 here, hundreds in a large organization.
    const marks = numbers.flatMap((n) =>
      range(5).map((k) => ({
        ...{ id: n * 5 + k, user_profile: id((n + k) % people), message: n + 1 },
        flags_mask: k === 0 && n % 50 === 0 ? 3 : 1,
      })),
    );
    const name = `messages-${String(index + 1).padStart(6, "0")}.json`;
    put(top, name, JSON.stringify({ zerver_message: list, zerver_usermessage: marks }));
  }
  await create({ file, cwd: folder, gzip: { level: 1 } }, readdirSync(folder));
}

async function mattermost(count: number, folder: string, file: string): Promise<void> {
  const name = (n: number) => `person${n}`;
  const inAll = range(channels).map((n) => ({ name: `channel-${n}`, roles: "channel_user" }));
  const head: unknown[] = [
    { type: "version", version: 1 },
    { type: "team", team: { name: "crew", display_name: "Crew", type: "I" } },
    ...range(channels).map((n) => ({
      type: "channel",
      channel: { team: "crew", name: `channel-${n}`, display_name: `Channel ${n}`, type: "O" },
    })),
    ...range(people).map((n) => ({
      type: "user",
      user: {
        ...{ username: name(n), email: `${name(n)}@example.com`, first_name: "Person", last_name: String(n) },
        roles: n === 0 ? "system_user system_admin" : "system_user",
        teams: [{ name: "crew", roles: "team_user", channels: inAll }],
      },
    })),
  ];
  const said = (n: number) => ({
    ...{ user: name(senderOf(n)), type: "", message: textOf(n, (who) => `@${name(who)}`), props: {} },
    ...{ create_at: at(n) * 1000, edit_at: isEdited(n) ? at(n + 1) * 1000 : 0 },
    ...(hasReaction(n) && {
      reactions: [{ user: name(senderOf(n + 1)), create_at: at(n) * 1000, emoji_name: emojiOf(n) }],
    }),
  });
  mkdirSync(folder, { recursive: true });
  const out = createWriteStream(join(folder, "import.jsonl"));
  const written = async (lines: unknown[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    if (text !== "" && !out.write(text)) await new Promise<void>((resolve) => out.once("drain", resolve));
  };
  await written(head);
  for (const { index, numbers } of portions(count)) {
    const roots = numbers.filter((n) => !isReply(n));
    await written(
      roots.map((n) => ({
        type: "post",
        post: {
          ...{ team: "crew", channel: `channel-${index % channels}`, ...said(n) },
          ...(isReply(n + 4) && numbers.includes(n + 4) && { replies: [said(n + 4)] }),
        },
      })),
    );
  }
  await new Promise<void>((resolve) => out.end(resolve));
  await zip(folder, file);
}

/** Writes an export with this many messages to a file. `folder` is for its parts. */
export const exportsOf = {
  slack: { write: slack, ending: "zip" },
  zulip: { write: zulip, ending: "tar.gz" },
  mattermost: { write: mattermost, ending: "zip" },
} as const;
