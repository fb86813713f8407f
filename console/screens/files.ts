import { listLargestFiles } from "@/messaging/uploads/queries.ts";
import type { StoredFile } from "@/messaging/uploads/schema.ts";
import { deleteUnlinkedFiles } from "../changes/organization.ts";
import { toAccount } from "../jumps.ts";
import { bytes, timeText } from "../layout.ts";
import { userNames } from "../names.ts";
import { numberColumn, screen, timeColumn } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";

interface Row extends StoredFile {
  owner: string;
}

/** More are listed by 'confab files largest --limit'. */
const maxFiles = 500;

const linkText = ({ is_linked }: StoredFile) => (is_linked ? "yes" : "no");

export const files = screen<Row>({
  key: "U",
  title: "Files",
  area: "Organization",
  about: "that people uploaded, the largest first",
  empty: "Nobody has uploaded a file.",
  rows({ ctx }: ConsoleSession) {
    const nameOf = userNames(ctx());
    return listLargestFiles(ctx(), { user_id: null, after: null, max: maxFiles }).map((one) => ({
      ...one,
      owner: nameOf(one.owner_id),
    }));
  },
  id: ({ id }) => id,
  name: ({ name }) => name,
  copies: ({ name }) => name,
  columns: [
    { ...numberColumn("SIZE", ({ size }) => size, bytes), whole: true },
    { title: "NAME", value: ({ name }) => name, grow: true },
    { title: "OWNER", value: ({ owner }) => owner },
    { ...timeColumn("UPLOADED", ({ uploaded_at }) => uploaded_at), spare: true },
    { title: "IN A MESSAGE", value: linkText, tone: (row) => (row.is_linked ? "dim" : "warn") },
  ],
  facts: ({ ctx }, row) => [
    ["Name", row.name],
    ["Size", bytes(row.size)],
    ["Owner", row.owner, toAccount(ctx(), row.owner_id)],
    ["Uploaded", timeText(row.uploaded_at)],
    ["In a message", linkText(row)],
  ],
  rowActions: [
    {
      key: "d",
      title: ({ is_linked }) => (is_linked ? null : "delete"),
      confirm: ({ name, owner, size }) => `Delete ${name} of ${owner} (${bytes(size)}) for good?`,
      async run(ctx, { id, name }) {
        const done = await deleteUnlinkedFiles(ctx, { ids: [id], until: ctx.now });
        return {
          message:
            done.files === 1
              ? `${name} is deleted.`
              : `${name} stays: a message, a draft or a scheduled message links to it.`,
        };
      },
    },
  ],
});
