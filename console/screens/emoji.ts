import { statSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { listEmoji, listExtraEmoji } from "@/foundation/emoji/queries.ts";
import { customEmojiName, emojiLimits, type RealmEmoji } from "@/foundation/emoji/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Picture } from "../change.ts";
import { addEmoji, deactivateEmoji, deleteRealmPicture, setRealmPicture } from "../changes/organization.ts";
import { toAccount } from "../jumps.ts";
import { userNames } from "../names.ts";
import { form, type ScreenForm, screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";

const pictures = {
  icon: { title: "Icon", maxMib: limits.max_icon_file_size_mib },
  logo: { title: "Logo", maxMib: limits.max_logo_file_size_mib },
  night_logo: { title: "Logo on dark ground", maxMib: limits.max_logo_file_size_mib },
} as const;
type Which = keyof typeof pictures;

type Row =
  | { kind: "emoji" | "extra emoji"; emoji: RealmEmoji; author: string }
  | { kind: "picture"; which: Which };

const path = z.string().trim().min(1, "Enter the path of a picture.");
const fileField = {
  label: "File",
  about: "A PNG, JPEG, GIF or WebP file of this machine.",
  rule: path,
  isOwn: true,
  isFile: true,
};

function receivePicture(file: string, maxMib: number): Picture {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) return fail("BAD_REQUEST", `There is no file ${file}.`);
  if (found.size > maxMib * 1_048_576)
    return fail("BAD_REQUEST", `${file} is larger than the maximum of ${maxMib} MiB.`);
  return { path: file, name: basename(file), size: found.size };
}

function newEmoji(): ScreenForm {
  return form({
    title: "A new emoji",
    fields: {
      name: { label: "Name", about: "Without colons.", rule: customEmojiName },
      file: fileField,
    },
    async submit(ctx, { name, file }) {
      await addEmoji(ctx, { name }, receivePicture(file, emojiLimits.fileMib));
      return { message: `Added :${name}:`, undo: (now) => deactivateEmoji(now, name) };
    },
  });
}

function newPicture(_: Ctx, row: Row): ScreenForm {
  const which = row.kind === "picture" ? row.which : "icon";
  return form({
    title: `A new ${pictures[which].title.toLowerCase()}`,
    fields: { file: fileField },
    async submit(ctx, { file }) {
      await setRealmPicture(ctx, { which }, receivePicture(file, pictures[which].maxMib));
      return { message: `The organization has a new ${pictures[which].title.toLowerCase()}.` };
    },
  });
}

const nameOf = (row: Row) => (row.kind === "picture" ? pictures[row.which].title : `:${row.emoji.name}:`);
const isActive = (row: Row) => row.kind !== "picture" && !row.emoji.deactivated;

function stateOf(row: Row): string {
  if (row.kind === "picture") return "picture of the organization";
  return row.emoji.deactivated ? "deactivated" : "active";
}

export const emoji = screen<Row>({
  key: "I",
  title: "Emoji, pictures",
  area: "Organization",
  about: "the organization's own, and the server's",
  empty: "There are none.",
  rows({ ctx }: ConsoleSession): Row[] {
    const authorOf = userNames(ctx());
    const own = Object.values(listEmoji(ctx())).map(
      (one): Row => ({ kind: "emoji", emoji: one, author: authorOf(one.author_id) }),
    );
    const ofOrganization = (Object.keys(pictures) as Which[]).map(
      (which): Row => ({ kind: "picture", which }),
    );
    const extra = listExtraEmoji(ctx()).map(
      (one): Row => ({ kind: "extra emoji", emoji: one, author: "server" }),
    );
    return [...ofOrganization, ...own, ...extra];
  },
  id: (row) => (row.kind === "picture" ? row.which : `${row.kind} ${row.emoji.id}`),
  name: nameOf,
  copies: nameOf,
  columns: [
    { title: "NAME", value: nameOf },
    { title: "STATE", value: stateOf, tone: (row) => (isActive(row) ? "good" : "dim"), grow: true },
    { title: "FROM", value: (row) => (row.kind === "picture" ? "" : row.author) },
  ],
  facts: ({ ctx }, row) => [
    ["Name", nameOf(row)],
    ["State", stateOf(row)],
    ...(row.kind === "picture"
      ? []
      : ([
          ["From", row.author, toAccount(ctx(), row.emoji.author_id)],
          ["Moves", row.emoji.still_url === null ? "no" : "yes"],
        ] as const)),
  ],
  create: { title: "new emoji", need: "can_add_custom_emoji_group", form: newEmoji },
  edit: newPicture,
  mayEdit: ({ kind }) => kind === "picture",
  rowActions: [
    {
      key: "d",
      need: "anyone",
      title: (row) => (row.kind === "emoji" && isActive(row) ? "deactivate" : null),
      confirm: (row) => `Deactivate ${nameOf(row)}? Messages and reactions that have it keep it.`,
      async run(ctx, row) {
        if (row.kind === "emoji") await deactivateEmoji(ctx, row.emoji.name);
        return { message: `${nameOf(row)} is deactivated.` };
      },
    },
    {
      key: "x",
      title: (row) => (row.kind === "picture" ? "remove" : null),
      confirm: (row) => `Remove the ${nameOf(row).toLowerCase()} of the organization?`,
      async run(ctx, row) {
        if (row.kind === "picture") await deleteRealmPicture(ctx, row.which);
        return { message: `The ${nameOf(row).toLowerCase()} is now the default one.` };
      },
    },
  ],
});
