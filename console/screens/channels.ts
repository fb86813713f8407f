import { z } from "zod";
import { channelGrants, type GrantName } from "@/foundation/permissions/schema.ts";
import { whoText } from "@/foundation/permissions/words.ts";
import {
  asRealm,
  forEver,
  parseRetention,
  retentionText,
  topicsOf,
  topicsText,
} from "@/foundation/realm/words.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { listChannels, listSubscribers } from "@/places/channel-administration/queries.ts";
import {
  type Channel,
  channelDescription,
  channelName,
  folderId,
  retention,
  topicsPolicy,
} from "@/places/channels/schema.ts";
import { listFolders } from "@/places/folders/queries.ts";
import { channelUrl } from "@/text/quoting/narrow-url.ts";
import {
  archiveChannel,
  createChannel,
  setDefaultChannel,
  subscribe,
  unsubscribe,
  updateChannel,
} from "../changes/places.ts";
import { auditFact, seeAlso, toAccount } from "../jumps.ts";
import { timeText } from "../layout.ts";
import {
  addresses,
  folderNames,
  folderOrNone,
  nameInWords,
  permissionTexts,
  userIds,
  userNames,
} from "../names.ts";
import { peoplePicks } from "../picks.ts";
import {
  type ActionOutcome,
  changeForm,
  form,
  numberColumn,
  type RowAction,
  type ScreenForm,
  screen,
} from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import { changingRetention, deletionField } from "../shorter-retention.ts";
import { permissionField } from "./permissions.ts";

interface Row extends Channel {
  is_default?: boolean;
  folder: string;
}

const yesNo = z.boolean();
const people = z.array(z.int()).min(1, "Enter at least one email address.");
const grantNames = Object.keys(channelGrants) as GrantName<"channel">[];

function rows({ ctx }: ConsoleSession): Row[] {
  const now = ctx();
  const folders = new Map(listFolders(now, { include_archived: true }).map(({ id, name }) => [id, name]));
  return listChannels(now, { include_all: true, include_default: true }).map((channel) => ({
    ...channel,
    folder: folders.get(channel.folder_id ?? -1) ?? "",
  }));
}

function kindOf({ is_archived, invite_only, is_web_public }: Channel): string {
  if (is_archived) return "archived";
  if (is_web_public) return "web-public";
  return invite_only ? "private" : "public";
}

const nameField = { label: "Name", about: "As people see it.", rule: channelName, isOwn: true };
const descriptionField = {
  label: "Description",
  about: "What it is for, in Markdown.",
  rule: channelDescription,
  isOwn: true,
};
const privateField = { label: "Private", about: "Only subscribers can see it.", rule: yesNo };

function newChannel(): ScreenForm {
  return form({
    title: "A new channel",
    fields: {
      name: nameField,
      description: descriptionField,
      invite_only: { ...privateField, start: "no" },
    },
    async submit(ctx, input) {
      const { stream_id, name } = await createChannel(ctx, { ...input, subscribers: [ctx.actor.id] });
      return { message: `Created the channel ${name}.`, undo: (now) => archiveChannel(now, stream_id) };
    },
  });
}

function edit(now: Ctx, row: Row): ScreenForm {
  return changeForm({
    title: `The channel ${row.name}`,
    fields: {
      new_name: { ...nameField, start: row.name },
      description: { ...descriptionField, start: row.description },
      is_private: { ...privateField, start: row.invite_only ? "yes" : "no" },
      history_public_to_subscribers: {
        label: "Shared history",
        about: "New subscribers may read earlier messages.",
        rule: yesNo,
        start: row.history_public_to_subscribers ? "yes" : "no",
      },
      folder_id: {
        label: "Folder",
        about: "Its name, or empty for none.",
        rule: folderId.nullable(),
        choices: folderNames(now),
        open: true,
        read: folderOrNone,
        start: row.folder,
      },
      topics_policy: {
        label: "Topics",
        about: "Whether messages may have no topic.",
        rule: topicsPolicy,
        choices: topicsPolicy.options.map(topicsText),
        read: (_: Ctx, text: string) => topicsOf(text),
        start: topicsText(row.topics_policy),
      },
      message_retention_days: {
        label: "Retention",
        about: `Days messages are kept, '${forEver}' or '${asRealm}'.`,
        rule: retention,
        read: (_: Ctx, text: string) => parseRetention(text),
        start: retentionText(row.message_retention_days),
      },
      deletion: deletionField,
    },
    async submit(ctx, { deletion, ...patch }) {
      const { stream_id: channel_id } = row;
      const shortened = { channel_id, days: patch.message_retention_days, deletion };
      await changingRetention(ctx, shortened, () => updateChannel(ctx, { channel_id, ...patch }));
      return { message: `Changed the channel ${patch.new_name ?? row.name}.` };
    },
  });
}

function permissions(now: Ctx, row: Row): ScreenForm {
  const grantText = permissionTexts(now);
  const fields = grantNames.map((name) => [
    name,
    permissionField(now, nameInWords(name), {
      start: grantText(row[name]),
      grant: channelGrants[name],
    }),
  ]);
  return changeForm({
    title: `Who may do what in ${row.name}`,
    fields: Object.fromEntries(fields) as Record<string, ReturnType<typeof permissionField>>,
    async submit(ctx, values) {
      const patch = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { new: value }]));
      await updateChannel(ctx, { channel_id: row.stream_id, ...patch });
      return { message: `Changed who may do what in ${row.name}.` };
    },
  });
}

/** One form subscribes and unsubscribes people; each action undoes the other. */
function moves(verb: "subscribe" | "unsubscribe") {
  return (now: Ctx, row: Row): ScreenForm =>
    form({
      title: verb === "subscribe" ? `Subscribe people to ${row.name}` : `Unsubscribe people from ${row.name}`,
      fields: {
        user_ids: {
          label: "People",
          about: "Email addresses, separated by commas.",
          rule: people,
          choices: () => addresses(now),
          open: true,
          picks: (ctx) =>
            peoplePicks(ctx, verb === "subscribe" ? undefined : listSubscribers(ctx, row.stream_id)),
          read: userIds,
        },
      },
      async submit(ctx, { user_ids }) {
        const membership = { channel_ids: [row.stream_id], user_ids };
        const into = (at: Ctx) => subscribe(at, membership);
        const out = (at: Ctx) => unsubscribe(at, membership);
        await (verb === "subscribe" ? into(ctx) : out(ctx));
        return { message: `Done: ${verb}d in ${row.name}.`, undo: verb === "subscribe" ? out : into };
      },
    });
}

async function toggleArchived(ctx: Ctx, { stream_id, name, is_archived }: Row): Promise<ActionOutcome> {
  const archive = (at: Ctx) => archiveChannel(at, stream_id);
  const unarchive = (at: Ctx) => updateChannel(at, { channel_id: stream_id, is_archived: false });
  await (is_archived ? unarchive(ctx) : archive(ctx));
  return is_archived
    ? { message: `${name} is no longer archived.`, undo: archive }
    : { message: `${name} is archived.`, undo: unarchive };
}

async function toggleDefault(
  ctx: Ctx,
  { stream_id: channel_id, name, is_default = false }: Row,
): Promise<ActionOutcome> {
  await setDefaultChannel(ctx, { channel_id, is_default: !is_default });
  return {
    message: is_default
      ? `New users are no longer subscribed to ${name}.`
      : `New users will be subscribed to ${name}.`,
    undo: (now) => setDefaultChannel(now, { channel_id, is_default }),
  };
}

const unlessArchived = (title: string) => (row: Row) => (row.is_archived ? null : title);

const rowActions: RowAction<Row>[] = [
  {
    key: "d",
    need: "anyone",
    title: ({ is_archived }) => (is_archived ? "unarchive" : "archive"),
    confirm: ({ is_archived, name }) =>
      is_archived ? null : `Archive ${name}? Nobody can post to it any more; its messages stay readable.`,
    run: toggleArchived,
  },
  { key: "m", title: () => "messages", opens: "Messages" },
  {
    key: "s",
    need: "can_add_subscribers_group",
    title: unlessArchived("subscribe"),
    form: moves("subscribe"),
  },
  { key: "x", need: "anyone", title: unlessArchived("unsubscribe"), form: moves("unsubscribe") },
  { key: "p", need: "anyone", title: unlessArchived("permissions"), form: permissions },
  {
    key: "t",
    title: (row) => (row.is_archived || row.invite_only ? null : row.is_default ? "not default" : "default"),
    run: toggleDefault,
  },
];

export const channels = screen<Row>({
  key: "6",
  title: "Channels",
  area: "Places",
  noun: "channel",
  about: "where people talk",
  empty: "There are no channels.",
  rows,
  id: ({ stream_id }) => stream_id,
  copies: ({ name }) => name,
  page: ({ stream_id: id, name }) => channelUrl({ id, name }),
  columns: [
    { title: "NAME", value: ({ name }) => name },
    { title: "KIND", value: kindOf, tone: (row) => (row.is_archived ? "dim" : "plain") },
    numberColumn("PEOPLE", ({ subscriber_count }) => subscriber_count),
    { title: "FOLDER", value: ({ folder }) => folder },
    { title: "DESCRIPTION", value: ({ description }) => description, grow: true, spare: true },
  ],
  facts({ ctx }, row) {
    const now = ctx();
    const nameOf = userNames(now);
    const grantText = permissionTexts(now);
    const subscribers = listSubscribers(now, row.stream_id);
    const names = subscribers.slice(0, 50).map(nameOf).join(", ");
    return [
      ["Name", row.name],
      ["ID", String(row.stream_id)],
      ["Kind", kindOf(row)],
      ["Description", row.description],
      [seeAlso, "messages", { to: "Messages", scope: { id: row.stream_id, name: row.name } }],
      [
        "Folder",
        row.folder,
        row.folder_id === null ? null : { to: "Folders", select: row.folder_id, opens: true },
      ],
      ["For new users", row.is_default ? "yes" : "no"],
      ["Topics", topicsText(row.topics_policy)],
      ["Messages kept", retentionText(row.message_retention_days)],
      ["Created", timeText(row.date_created)],
      ["By", nameOf(row.creator_id) || "nobody", toAccount(now, row.creator_id)],
      [`Subscribers (${subscribers.length})`, subscribers.length > 50 ? `${names}, …` : names],
      ...grantNames.map((name) => [nameInWords(name), whoText(grantText(row[name]))] as const),
      auditFact(row.name),
    ];
  },
  create: { title: "new channel", need: "can_create_public_channel_group", form: newChannel },
  edit,
  editNeed: "anyone",
  mayEdit: ({ is_archived }) => !is_archived,
  rowActions,
});
