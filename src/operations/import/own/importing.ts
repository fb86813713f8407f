// Imports a document of `confab export organization` into a folder without an organization. Everything keeps its ID. What
// exports leave out (docs/export.md) is missing or new: nobody has a password or a key, webhooks get new tokens, and custom
// emoji get a placeholder picture.
import { existsSync, rmSync, statSync } from "node:fs";
import { standInPicture } from "@/foundation/emoji/host.ts";
import { newName } from "@/foundation/file-stores/names.ts";
import { writeWhole } from "@/foundation/files/files.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { checkReadable, placeOrganization } from "@/operations/data-folder/host.ts";
import { hasOrganizationIn } from "@/operations/data-folder/queries.ts";
import { hasAddress } from "@/operations/import/intake/names.ts";
import { invitationsTo } from "@/operations/import/inviting.ts";
import { recordImport } from "@/operations/import/record.ts";
import type { OpenedImport } from "@/operations/import/report.ts";
import type {
  Counts,
  ImportReport,
  Invitations,
  InvitePlan,
  OnProgress,
} from "@/operations/import/schema.ts";
import { beginStaging, stagingIn } from "@/operations/import/staging.ts";
import * as store from "@/operations/import/store.ts";
import { markRead } from "@/operations/import/writing-messages.ts";
import { type OwnRow, ownRows } from "./reading.ts";
import { type OwnState, writeRealm, writeRows, writeSpans } from "./writing.ts";

export interface OwnInput {
  file: string;
  /** The folder to import into; null only reads and checks. */
  dataDir: string | null;
  /** Random. */
  salt: string;
  newToken(): string;
  /** UNIX seconds. */
  now: number;
  /** How to invite people without a password; null invites nobody. */
  invite: InvitePlan | null;
  onProgress: OnProgress;
  /** Opens the core on a data folder, as `openCore` does. */
  open(dataDir: string): OpenedImport | Promise<OpenedImport>;
}

interface Found {
  counts: Counts;
  organization: string;
  edited: Set<number>;
  emoji: number[];
  protectedChannels: Set<number>;
  members: Map<number, number[]>;
  hasOwner: boolean;
  /** Active people whose address is only a placeholder. */
  withoutAddress: number;
  rows: number;
}

/**
 * Imports one of our own exports, or says what would be imported. The caller holds the folder's lock. If the file's digest is
 * given, records the import in the audit log.
 */
export async function importOwn(input: OwnInput, sha256: string | null = null): Promise<ImportReport> {
  const began = performance.now();
  if (!existsSync(input.file)) fail("BAD_REQUEST", `There is no file ${input.file}.`);
  if (statSync(input.file).isDirectory())
    fail("BAD_REQUEST", `${input.file} is a folder; name the JSON document of 'confab export organization'.`);
  checkReadable(input.file);
  const found = await survey(input);
  if (!found.hasOwner) fail("BAD_REQUEST", "The export has no active owner.");
  const lost = [
    {
      what: "custom emoji, which get a placeholder picture because exports contain none",
      count: found.emoji.length,
    },
  ];
  const report: ImportReport = {
    source: "confab",
    organization: found.organization,
    dry_run: input.dataDir === null,
    ...found.counts,
    lost: lost.filter(({ count }) => count > 0),
    not_read: [],
    matches: [],
    invitations: wouldInvite(input, found),
    remarks: [],
    seconds: 0,
  };
  const finish = async (ctx: Ctx) => {
    if (sha256 !== null) await recordImport(ctx, { report, sha256, firstUserId: 1 });
  };
  if (input.dataDir !== null) await writeInto(input.dataDir, input, { found, finish });
  return { ...report, seconds: Math.round((performance.now() - began) / 100) / 10 };
}

/** How many a dry run would invite; null otherwise. */
function wouldInvite({ dataDir, invite }: OwnInput, { counts, withoutAddress }: Found): Invitations | null {
  if (dataDir !== null || invite === null) return null;
  const { by } = invite;
  const without_address = by === "mail" ? withoutAddress : 0;
  return invitationsTo(counts.people - counts.deactivated - without_address, { by, without_address });
}

/** Reads and checks every row. */
async function survey({ file, onProgress }: OwnInput): Promise<Found> {
  const found: Found = {
    ...{ counts: nothing(), organization: "", edited: new Set(), emoji: [], protectedChannels: new Set() },
    ...{ members: new Map(), hasOwner: false, withoutAddress: 0, rows: 0 },
  };
  const conversations = new Set<string>();
  const topics = new Set<string>();
  for await (const one of ownRows(file)) {
    if (++found.rows % 1000 === 0) onProgress(`Reading row ${found.rows}`, 0, 0);
    note(found, one);
    if (one.section !== "messages") continue;
    if (one.row.participants !== null) conversations.add(one.row.participants);
    else if (one.row.topic) topics.add(`${one.row.channel_id}:${one.row.topic.toLowerCase()}`);
  }
  return { ...found, counts: { ...found.counts, conversations: conversations.size, threads: topics.size } };
}

function nothing(): Counts {
  const people = { people: 0, known_people: 0, bots: 0, deactivated: 0 };
  const places = { channels: 0, private_channels: 0, archived_channels: 0, conversations: 0, threads: 0 };
  return {
    ...people,
    ...places,
    messages: 0,
    edits: 0,
    reactions: 0,
    stars: 0,
    emoji: 0,
    files: 0,
    file_bytes: 0,
  };
}

function note(found: Found, { section, row }: OwnRow): void {
  const { counts } = found;
  switch (section) {
    case "settings":
      if (row.name === "name") found.organization = String(row.value);
      break;
    case "users":
      if (row.is_bot) counts.bots++;
      else counts.people++;
      if (!row.is_active && !row.is_bot) counts.deactivated++;
      if (row.is_active && !row.is_bot && !hasAddress(row.delivery_email ?? row.email))
        found.withoutAddress++;
      if (row.role === roles.owner && row.is_active && !row.is_bot) found.hasOwner = true;
      break;
    case "channels":
      counts.channels++;
      if (row.invite_only) counts.private_channels++;
      if (row.is_archived) counts.archived_channels++;
      if (!row.history_public_to_subscribers) found.protectedChannels.add(row.id);
      break;
    case "subscriptions":
      found.members.set(row.channel_id, [...(found.members.get(row.channel_id) ?? []), row.user_id]);
      break;
    case "emoji":
      counts.emoji++;
      found.emoji.push(row.id);
      break;
    case "messages":
      counts.messages++;
      break;
    case "message_edits":
      counts.edits++;
      found.edited.add(row.message_id);
      break;
    case "reactions":
      counts.reactions++;
      break;
  }
}

const portion = 500;

async function writeInto(
  dataDir: string,
  input: OwnInput,
  { found, finish }: { found: Found; finish(ctx: Ctx): Promise<void> },
): Promise<void> {
  if (hasOrganizationIn(dataDir)) {
    fail(
      "BAD_REQUEST",
      `${dataDir} holds an organization: an export of Confab goes into a folder without one.`,
    );
  }
  const staging = stagingIn(dataDir);
  beginStaging(staging);
  try {
    const core = await input.open(staging.data);
    try {
      await writeAll(core.system, input, found);
      await finish(core.system);
    } finally {
      await core.close();
    }
    await placeOrganization(staging.data, dataDir);
  } catch (error) {
    const contradiction = contradictionIn(error) ?? contradictionIn((error as Error).cause);
    if (contradiction !== null) fail("BAD_REQUEST", `The export contradicts itself: ${contradiction}.`);
    throw error;
  } finally {
    rmSync(staging.folder, { recursive: true, force: true });
  }
}

/** SQLite's message if rows break a constraint; null for other errors. */
function contradictionIn(error: unknown): string | null {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  return String(code).startsWith("SQLITE_CONSTRAINT") ? (message ?? "") : null;
}

async function writeAll(ctx: Ctx, input: OwnInput, found: Found): Promise<void> {
  const { file, salt, now, newToken, onProgress } = input;
  store.writeQuickly(ctx);
  await writeRealm(ctx, { salt, created: now });
  const emojiFiles = new Map<number, string>();
  for (const id of found.emoji) emojiFiles.set(id, await placeholder(ctx));
  const state: OwnState = { edited: found.edited, emojiFiles, newToken, nth: new Map(), position: 0 };
  let done = 0;
  let waiting: OwnRow[] = [];
  const flush = async () => {
    const rows = waiting;
    waiting = [];
    await writeRows(ctx, { rows, state });
    done += rows.length;
    onProgress("Rows", done, found.rows);
  };
  for await (const one of ownRows(file)) {
    // Users are written at once: a bot's owner may come after it.
    const isNext = waiting[0] !== undefined && waiting[0].section !== one.section;
    if (isNext || (waiting.length >= portion && one.section !== "users")) await flush();
    waiting.push(one);
  }
  await flush();
  for (const [channelId, userIds] of found.members) {
    await writeSpans(ctx, { channelId, userIds, isProtected: found.protectedChannels.has(channelId) });
  }
  await markRead({ ctx, ids: { base: { message: 0 } }, onProgress });
}

/** Stores a placeholder picture for an emoji, since exports have none; returns its file name. */
async function placeholder(ctx: Ctx): Promise<string> {
  const file = newName();
  const picture = await new Bun.Image(await standInPicture()).webp().bytes();
  await writeWhole(ctx.env, { shelf: "pictures", name: `${file}.webp` }, picture);
  return file;
}
