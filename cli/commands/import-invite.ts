// The options of 'confab import … --invite', and what it prints.
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { remarkOnLinks } from "@/foundation/realm/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { writePrivately } from "@/operations/data-folder/host.ts";
import type { ImportReport, Invitations, InvitePlan } from "@/operations/import/schema.ts";
import { type ArgValues, flag, option } from "../args.ts";
import { failUsage } from "../misuse.ts";
import { dataOption } from "../organization.ts";
import { table, timeText } from "../output.ts";
import { serverSettings } from "../settings.ts";

export const inviting = {
  invite: flag(
    z.boolean().default(false),
    "let people in: each gets a link to choose a password, by mail if the server has a mail server, else printed",
  ),
  links_file: option(
    "FILE",
    z.string().min(1, "the path of a file").optional(),
    "with --invite: write the links to this file, which only you can read, and mail nobody",
  ),
  site: serverSettings.site,
  smtp_url: serverSettings.smtp_url,
  invitation_link_validity_minutes: serverSettings.invitation_link_validity_minutes,
};

/** How to invite; null without --invite. */
export function waysIn(given: ArgValues<typeof inviting>): InvitePlan | null {
  const { invite, links_file, smtp_url, invitation_link_validity_minutes: minutes } = given;
  if (!invite && links_file !== undefined) failUsage("--links-file needs --invite");
  if (!invite) return null;
  if (links_file !== undefined) checkWritable(links_file);
  const by = links_file === undefined && smtp_url !== undefined ? "mail" : "links";
  return { by, life: minutes * 60 };
}

/** Checks before a long import that the links can be written after it. */
function checkWritable(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error("It is a folder");
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    fail("BAD_REQUEST", `The links cannot be written to ${path}: ${(error as Error).message}.`);
  }
}

/** The server's address for links; `known` is the address of the last `serve`. */
export function checkSite(site: string | undefined, known: string | null): string {
  return (
    site ??
    known ??
    fail(
      "BAD_REQUEST",
      "--invite needs the address at which people will find the server: name it with --site, or as 'site' in confab.toml.",
    )
  );
}

/** Writes the links to the file, if one is named, instead of leaving them in the report. */
export function withLinksIn(path: string | undefined, report: ImportReport): ImportReport {
  const { invitations } = report;
  if (path === undefined || !invitations || report.dry_run) return report;
  const lines = invitations.links.map(({ email, name, url }) => `${email}\t${name}\t${url}\n`);
  writePrivately(path, lines.join(""));
  const remarks = [...report.remarks, ...remarkOnLinks(invitations.links[0]?.url ?? null)];
  return { ...report, remarks, invitations: { ...invitations, links: [] } };
}

interface Shown {
  invitations: Invitations;
  dryRun: boolean;
  linksFile: string | undefined;
  dataDir: string;
}

export function invitationLines({ invitations, dryRun, linksFile, dataDir }: Shown): string[] {
  const { by, people, mailed_before, without_address, expires_at, links } = invitations;
  const are = people === 1 ? "1 person" : `${people} people`;
  const at = dataOption(dataDir);
  const lines: string[] = [];
  if (dryRun) lines.push(by === "mail" ? `${are} would be mailed a link.` : `${are} would get a link.`);
  else if (by === "mail") lines.push(`Mails to ${are} are queued: the server sends them when it runs.`);
  else if (linksFile !== undefined) lines.push(`Wrote the links of ${are} to ${linksFile}.`);
  else if (links.length > 0)
    lines.push(
      table(
        ["FOR", "NAME", "LINK"],
        links.map(({ email, name, url }) => [email, name, url]),
      ),
    );
  else lines.push("Nobody is left who needs a link.");
  lines.push(...remarkOnLinks(links[0]?.url ?? null));
  if (expires_at !== null && people > 0)
    lines.push(`Each link works once, until ${timeText(expires_at)} (UTC).`);
  if (by === "links" && !dryRun && people > 0)
    lines.push("Anyone who has a link can take the account over: pass it on like a password.");
  if (mailed_before > 0) lines.push(`${mailed_before} were mailed before, and not again.`);
  if (without_address > 0)
    lines.push(
      `${without_address} have no address in the export: 'confab user update OLD --new-email NEW${at}' gives them one, ` +
        `'confab user reset-link EMAIL${at}' a link.`,
    );
  return lines;
}
