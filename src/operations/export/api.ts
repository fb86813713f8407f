import { z } from "zod";
import type { FileName } from "@/foundation/file-stores/schema.ts";
import { fileHooks } from "@/foundation/files/hooks.ts";
import { fileAnswer } from "@/foundation/files/serving.ts";
import { unknownType } from "@/foundation/files/types.ts";
import { userId } from "@/foundation/users/schema.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint, RawAnswer } from "@/kernel/http/endpoint.ts";
import { deleteExport, requestExport } from "./actions.ts";
import { exportOfFile, exportPath, listExportConsents, listExports } from "./queries.ts";
import { exportAsked, exportConsent, exportTypes, realmExport } from "./schema.ts";
import { exportsAmong, nextPending } from "./store.ts";
import { writeExports } from "./writing.ts";
import { exportPerson } from "./writing-person.ts";

export default domain({
  name: "export",
  about: "an organization's or a person's data as one JSON document",
  hooks: [fileHooks.inUse.register(exportsAmong)],
  endpoints: [
    endpoint("get-realm-exports", {
      about:
        "Lists the exports of the last days, with the address of each finished file. Administrators only.",
      method: "GET",
      path: "/export/realm",
      returns: { exports: z.array(realmExport) },
      run: (ctx) => ({ exports: listExports(ctx) }),
    }),
    endpoint("export-realm", {
      about:
        "Starts an export of what is public, or also of what consenting users agreed to. Administrators only; limited in number. It holds the data of one moment. After a restart, the server begins it again, at most twice.",
      method: "POST",
      path: "/export/realm",
      params: { export_type: exportAsked.default(exportTypes.public) },
      returns: { id: z.int() },
      run: async (ctx, { export_type }) => ({ id: await requestExport(ctx, export_type) }),
    }),
    endpoint("get-realm-export-consents", {
      about:
        "Lists which active people consent to having their private data exported; or, with `user_id`, only that person, who may be deactivated. Administrators only.",
      method: "GET",
      path: "/export/realm/consents",
      params: { user_id: userId.optional() },
      returns: { export_consents: z.array(exportConsent) },
      run: (ctx, { user_id }) => ({ export_consents: listExportConsents(ctx, user_id ?? null) }),
    }),
    endpoint("delete-export-realm-export-id", {
      about: "Deletes a finished export and its file. Administrators only.",
      method: "DELETE",
      path: "/export/realm/{export_id:[0-9]+}",
      params: { export_id: z.int() },
      run: (ctx, { export_id }) => deleteExport(ctx, export_id),
    }),
    endpoint("export-user", {
      about:
        "Returns the data of a person who has agreed to the export of private data (`allow_private_data_export`), as one JSON document (docs/export.md): account, settings, messages, drafts. The server keeps no copy. Owners only.",
      method: "POST",
      path: "/users/{user_id:[0-9]+}/export",
      params: { user_id: userId },
      run: async (ctx, { user_id }) =>
        new RawAnswer(await exportPerson(ctx, user_id), {
          "content-type": "application/json",
          "content-disposition": `attachment; filename="user-${user_id}.json"`,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
        }),
    }),
    endpoint("get-export-file", {
      about: "Returns the file of a finished export. Administrators only.",
      method: "GET",
      path: `${exportPath}/{file:[0-9a-f]+}`,
      root: true,
      params: { file: z.string() },
      run: (ctx, { file: tag }, request) => {
        const name = `export-${exportOfFile(ctx, tag).id}.json`;
        const file: FileName = { shelf: "exports", name: tag };
        return fileAnswer(ctx.env, { file, tag, type: unknownType, name, isConfidential: true }, request);
      },
    }),
  ],
  jobs: [
    {
      name: "write-exports",
      everySeconds: 1,
      run: writeExports,
      nextDue: (reads) => (nextPending(reads) ? 0 : Number.POSITIVE_INFINITY),
    },
  ],
});
