// What an export contains, and the report on importing it.
import { roles } from "@/foundation/permissions/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { FetchOptions } from "./intake/fetching.ts";
import type { Spool } from "./intake/store-spool.ts";
import type { Archived } from "./readers.ts";
import type { Counts, ImportReport } from "./schema.ts";

/** An open data folder. */
export interface OpenedImport {
  system: Ctx;
  close(): Promise<void>;
}

/** How a copy takes the place of the database of a cluster, whose nodes are all stopped. */
export interface ImportReplacement {
  /** Lets a copy of the database be changed. */
  release(copy: string): void;
  /** Marks a complete copy as what comes next; throws if another node has written meanwhile. */
  seal(copy: string): Promise<void>;
}

export interface ImportOptions {
  source: Archived;
  file: string;
  /** The name of the new organization; null takes the export's. */
  organization: string | null;
  /** The address of the new organization's owner; null takes the export's first owner. */
  ownerEmail: string | null;
  /** Adds people that the export names but does not describe. */
  allowMissing: boolean;
  /** How to fetch files that the export only links to; null does not fetch them. */
  fetch: FetchOptions | null;
}

export interface ImportFindings {
  /** The organization's name in the export. */
  organization: string | null;
  counts: Counts;
  /** Paths of files that the reader does not know. */
  notRead: string[];
  remarks: string[];
}

export function reportOf(
  spool: Spool,
  {
    options,
    dryRun,
    began,
    organization,
  }: { options: ImportOptions; dryRun: boolean; began: number; organization?: string },
): ImportReport {
  const found = spool.fact<ImportFindings>("found");
  if (!found) throw new Error("The export was not read to its end");
  return {
    source: options.source,
    organization: organization ?? options.organization ?? found.organization ?? "",
    dry_run: dryRun,
    ...found.counts,
    known_people: spool.fact<number>("known") ?? 0,
    lost: spool.losses(),
    not_read: found.notRead,
    matches: [],
    invitations: null,
    remarks: found.remarks,
    seconds: Math.round((performance.now() - began) / 100) / 10,
  };
}

/** The name and the owner of a new organization. Throws if neither the options nor the export tell. */
export function checkOwner(
  spool: Spool,
  { organization, ownerEmail }: ImportOptions,
): { name: string; email: string; fullName: string } {
  const found = spool.fact<ImportFindings>("found");
  const name = organization ?? found?.organization;
  if (!name) fail("BAD_REQUEST", "The export does not contain the organization's name: name it with --org.");
  const everyone = spool.people();
  if (!everyone.some(({ isBot, email }) => !isBot && email !== null)) {
    fail(
      "BAD_REQUEST",
      "The export has no address of anybody, so nobody in it can own the organization. Create it first, with yourself as its owner: " +
        "'confab init --org NAME --owner-email EMAIL --owner-name NAME'. Then run this import again.",
    );
  }
  const people = everyone.filter((one) => one.isActive && !one.isBot && one.email !== null);
  const owner =
    ownerEmail === null
      ? (people.find(({ role }) => role === roles.owner) ?? people.find(({ role }) => role === roles.admin))
      : people.find(({ email }) => email?.toLowerCase() === ownerEmail.toLowerCase());
  if (owner?.email) return { name, email: owner.email, fullName: owner.name };
  const which =
    ownerEmail === null ? "no active owner with an address" : `nobody active with the address ${ownerEmail}`;
  return fail("BAD_REQUEST", `The export has ${which}: name the organization's owner with --owner-email.`);
}
