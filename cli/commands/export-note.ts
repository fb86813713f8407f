// A command that no person types: an export next to a cluster's node has the leader note it in the audit log.
import { z } from "zod";
import { recordExport } from "@/operations/export/actions.ts";
import { noteCommand } from "@/operations/export/schema.ts";
import { option } from "../args.ts";
import { type Command, command } from "../command.ts";
import { numberOf } from "../values.ts";

export const exportNote: Command = command({
  name: noteCommand,
  summary: "Note an export in the audit log",
  examples: [],
  args: { user: option("ID", numberOf("a user's number").optional(), "whose data; absent for all data") },
  result: z.object({}),
  isHere: true,
  async run(ctx, { user }) {
    await recordExport(ctx, user ?? null);
    return {};
  },
  print: () => "",
});
