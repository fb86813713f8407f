import { z } from "zod";
import { event, type Traits } from "@/kernel/core/events.ts";
import { bare } from "@/kernel/http/wire.ts";

export const exportFormat = 1;

/** A written export: its file, and the number of rows by section. */
export const exported = z.object({ file: z.string(), rows: z.record(z.string(), z.int()) });
export type Exported = z.infer<typeof exported>;

/** Public: only public data. Standard: also private data of people who consent. */
export const exportTypes = { public: "public", standard: "full_with_consent" } as const;
export const exportType = z.enum(exportTypes);
export type ExportType = z.infer<typeof exportType>;

/** What clients ask for: also by the older numbers, and a kind that this server does not make. */
export const exportAsked = bare(
  z.enum(["public", "full_with_consent", "full_without_consent", "1", "2"]).transform((asked) => {
    if (asked === "1") return exportTypes.public;
    return asked === "2" ? exportTypes.standard : asked;
  }),
);

export const exportLimits = {
  perWeek: 5,
  /** How often an export is started; otherwise one that crashes the server would do so forever. */
  tries: 3,
} as const;

/** An export that an administrator requested. */
export const realmExport = z.object({
  id: z.int(),
  acting_user_id: z.int(),
  export_type: exportType,
  export_time: z.int(),
  pending: z.boolean(),
  /** Null if there is no file. */
  export_url: z.string().nullable(),
  failed_timestamp: z.int().nullable(),
  deleted_timestamp: z.int().nullable(),
});
export type RealmExport = z.infer<typeof realmExport>;

export const exportConsent = z.object({
  user_id: z.int(),
  consented: z.boolean(),
  email_address_visibility: z.int(),
});
export type ExportConsent = z.infer<typeof exportConsent>;

interface ExportsChanged {
  /** With `export_url` as a path. */
  exports: RealmExport[];
  /** The server's address. */
  site: string;
}

/** The address at which the client asked for its queue, on a server without an address of its own; otherwise "". */
const siteAsked = ({ options }: Traits) => (typeof options.site === "string" ? options.site : "");

/** Exports with complete URLs. */
export function exportsAt(site: string, exports: readonly RealmExport[]): RealmExport[] {
  return exports.map((one) => ({ ...one, export_url: one.export_url && site + one.export_url }));
}

export const exportsChanged = event("realm_export", {
  about: "The list of exports has changed; carries all of them. Administrators only.",
  schema: z.object({ exports: z.array(realmExport) }),
  variant: siteAsked,
  shape: ({ exports, site }: ExportsChanged, queue) => ({
    exports: exportsAt(siteAsked(queue) || site, exports),
  }),
});

/** By this command, which nobody types, an export from the data folder of a node has the leader note it. */
export const noteCommand = "export note";
