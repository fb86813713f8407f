// What uploaded files take up: the largest, whose they are, and those that nobody links to.
import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { bytesText } from "@/kernel/lib/wording.ts";
import { deleteUnlinked } from "@/messaging/uploads/actions.ts";
import {
  listLargestFiles,
  listLargestUnlinked,
  listSpaceByUser,
  listUnlinked,
} from "@/messaging/uploads/queries.ts";
import { type StoredFile, usualDaysOld } from "@/messaging/uploads/schema.ts";
import { addressesOf } from "../accounts.ts";
import { option } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { table } from "../output.ts";
import { countTo, userWith } from "../values.ts";

const daySeconds = 86_400;
const maxListed = 5000;
const limit = option("N", countTo(maxListed).default(20), "how many");
const olderThan = option(
  "DAYS",
  countTo(9999).default(usualDaysOld),
  "only files that were uploaded so many days ago or earlier",
);

const fileShape = z.object({
  id: z.int(),
  name: z.string(),
  bytes: z.int(),
  owner: z.string(),
  uploaded_at: z.string(),
});
type ShownFile = z.infer<typeof fileShape>;

function presentFiles(ctx: Ctx, rows: readonly StoredFile[]): ShownFile[] {
  const owners = addressesOf(ctx, [...new Set(rows.map(({ owner_id }) => owner_id))]);
  return rows.map(({ id, name, size, owner_id, uploaded_at }) => ({
    id,
    name,
    bytes: size,
    owner: owners.get(owner_id) ?? String(owner_id),
    uploaded_at: new Date(uploaded_at * 1000).toISOString(),
  }));
}

function formatFiles(files: readonly ShownFile[]): string {
  const rows = files.map(({ name, bytes, owner, uploaded_at }) => [
    bytesText(bytes),
    owner,
    uploaded_at.slice(0, 10),
    name,
  ]);
  return table(["SIZE", "OWNER", "UPLOADED", "NAME"], rows);
}

const sumSizes = (rows: readonly { size: number }[]) => rows.reduce((sum, { size }) => sum + size, 0);
const countText = (files: number) => (files === 1 ? "1 file" : `${files} files`);
const daysBefore = ({ now }: Ctx, days: number) => now - days * daySeconds;

export default [
  command({
    name: "files largest",
    summary: "List the largest uploaded files, and whose they are",
    examples: ["confab files largest", "confab files largest --user ada@example.com --limit 5 --json"],
    args: {
      user: option("USER", z.string().optional(), "only the files of this person or bot: address or ID"),
      limit,
    },
    result: z.array(fileShape),
    run: (ctx, { user, limit }) => {
      const user_id = user === undefined ? null : userWith(ctx, user).user_id;
      return presentFiles(ctx, listLargestFiles(ctx, { user_id, after: null, max: limit }));
    },
    print: formatFiles,
  }),

  command({
    name: "files users",
    summary: "List whose uploaded files take up the most space",
    examples: ["confab files users", "confab files users --limit 5 --json"],
    args: { limit },
    result: z.array(z.object({ user_id: z.int(), email: z.string(), files: z.int(), bytes: z.int() })),
    run: async (ctx, { limit }) => {
      const found = await listSpaceByUser(ctx, limit);
      const addresses = addressesOf(
        ctx,
        found.map(({ user_id }) => user_id),
      );
      return found.map((one) => ({ ...one, email: addresses.get(one.user_id) ?? String(one.user_id) }));
    },
    print: (found) =>
      table(
        ["USER", "FILES", "SIZE"],
        found.map(({ email, files, bytes }) => [email, String(files), bytesText(bytes)]),
      ),
  }),

  command({
    name: "files unlinked",
    summary: "List uploaded files that nobody links to",
    about:
      "Lists the uploaded files that no message links to, and no draft or scheduled message of their owner, largest first. " +
      "'confab files delete-unlinked' deletes them.",
    examples: ["confab files unlinked", "confab files unlinked --older-than 365 --json"],
    args: { older_than: olderThan, limit },
    result: z.object({ files: z.int(), bytes: z.int(), largest: z.array(fileShape) }),
    run: async (ctx, { older_than, limit }) => {
      const until = daysBefore(ctx, older_than);
      const found = await listLargestUnlinked(ctx, { until, after: null, max: limit });
      return { ...found, largest: presentFiles(ctx, found.largest) };
    },
    print: ({ files, bytes, largest }) =>
      files === 0
        ? "There is no file that is old enough (--older-than) and that nobody links to."
        : `${formatFiles(largest)}\n\nTogether: ${countText(files)}, ${bytesText(bytes)}.`,
  }),

  command({
    name: "files delete-unlinked",
    summary: "Delete uploaded files that nobody links to",
    about:
      "Deletes what 'confab files unlinked' lists, for ever. Their owners' lists of files no longer show them.",
    examples: ["confab files delete-unlinked", "confab files delete-unlinked --older-than 365 --yes"],
    args: { older_than: olderThan, yes },
    result: z.object({ files: z.int(), bytes: z.int() }),
    run: async (ctx, { older_than, yes }) => {
      const until = daysBefore(ctx, older_than);
      const found = await listUnlinked(ctx, until);
      if (found.length === 0) return { files: 0, bytes: 0 };
      const note = `They take up ${bytesText(sumSizes(found))}.`;
      const loss = {
        does: "deletes",
        count: [found.length, "file that nobody links to", "files that nobody links to"],
        names: found.map(({ name }) => name),
        note,
      } as const;
      await confirm(loss, yes);
      return deleteUnlinked(ctx, {
        ids: found.map(({ id }) => id),
        until,
      });
    },
    print: ({ files, bytes }) =>
      files === 0 ? "There was nothing to delete." : `Deleted ${countText(files)}, ${bytesText(bytes)}.`,
  }),
];
