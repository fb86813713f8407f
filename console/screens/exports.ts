import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { listExports } from "@/operations/export/queries.ts";
import { exportTypes, type RealmExport } from "@/operations/export/schema.ts";
import { deleteExport, requestExport } from "../changes/organization.ts";
import { toAccount } from "../jumps.ts";
import { type Tone, timeText } from "../layout.ts";
import { userNames } from "../names.ts";
import { form, type ScreenForm, screen, timeColumn } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";

interface Row extends RealmExport {
  by: string;
}

const kinds = {
  "public data": exportTypes.public,
  "also private data of those who agree": exportTypes.standard,
};
type Kind = keyof typeof kinds;
const kindOf = ({ export_type }: RealmExport) =>
  Object.entries(kinds).find(([, type]) => type === export_type)?.[0] ?? "";

function stateOf({ pending, failed_timestamp, deleted_timestamp }: RealmExport): [text: string, tone: Tone] {
  if (deleted_timestamp !== null) return ["deleted", "dim"];
  if (failed_timestamp !== null) return ["failed", "bad"];
  return pending ? ["being written", "warn"] : ["ready", "good"];
}

function newExport(_: Ctx): ScreenForm {
  return form({
    title: "A new export",
    fields: {
      kind: {
        label: "What",
        about: "The running server writes it; five a week at most.",
        rule: z.enum(Object.keys(kinds) as [Kind, ...Kind[]]),
        start: "public data",
      },
    },
    async submit(ctx, { kind }) {
      await requestExport(ctx, kinds[kind]);
      return { message: "The export has been requested." };
    },
  });
}

export const exports = screen<Row>({
  key: "X",
  title: "Exports",
  need: "admin",
  area: "Server",
  about: "of the organization's data, for administrators to download",
  empty: "There are no exports.",
  rows({ ctx }: ConsoleSession) {
    const nameOf = userNames(ctx());
    return listExports(ctx())
      .map((one) => ({ ...one, by: nameOf(one.acting_user_id) }))
      .reverse();
  },
  id: ({ id }) => id,
  name: ({ export_time }) => `export of ${timeText(export_time)}`,
  copies: ({ export_url }) => export_url,
  columns: [
    timeColumn("TIME", ({ export_time }) => export_time),
    { title: "WHAT", value: kindOf, grow: true },
    { title: "BY", value: ({ by }) => by },
    { title: "STATE", value: (row) => stateOf(row)[0], tone: (row) => stateOf(row)[1] },
  ],
  facts: ({ ctx }, row) => [
    ["Requested", timeText(row.export_time)],
    ["By", row.by, toAccount(ctx(), row.acting_user_id)],
    ["What", kindOf(row)],
    ["State", stateOf(row)[0]],
    ["Address", row.export_url ?? ""],
  ],
  create: { title: "new export", form: newExport },
  rowActions: [
    {
      key: "d",
      title: ({ export_url }) => (export_url === null ? null : "delete its file"),
      confirm: () => "Delete the file of this export?",
      async run(ctx, { id }) {
        await deleteExport(ctx, id);
        return { message: "The file is deleted." };
      },
    },
  ],
});
