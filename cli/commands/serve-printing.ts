// What 'confab serve' prints once it is ready.
import { resolve } from "node:path";
import type { CreatedRealm } from "@/foundation/realm-administration/actions.ts";
import { accountWithKey } from "../accounts.ts";
import { dataOption } from "../organization.ts";
import { bold, facts, quote } from "../output.ts";
import type { SampleAccount } from "./serve-sample.ts";

export interface Started {
  site: string;
  /** The server's address on this machine, even behind a proxy. */
  local: string;
  dataDir: string;
  created: CreatedRealm | null;
  /** Signs the owner of a new organization in, once. */
  loginLink: string | null;
  /** Whether the server does not know its public address. */
  isUnnamed: boolean;
  /** The accounts that need no password; null unless in development mode. */
  accounts: SampleAccount[] | null;
}

export function readyLine({ site, isUnnamed }: Started): string {
  const ready = `Confab is ready at ${bold(site)}`;
  if (!isUnnamed) return ready;
  return (
    `${ready}\n\nWarning: links in invitations and emails lead to ${site}, which only works on this machine.\n` +
    "Start with --site and the server's public address."
  );
}

export function welcome(started: Started, created: CreatedRealm): string {
  const { email, api_key } = accountWithKey(created);
  const known = facts([
    ["Organization", created.organization.name],
    ["Owner", email],
    ["API key", api_key],
    ["Data folder", resolve(started.dataDir)],
  ]);
  const credentials = quote(`${email}:${api_key}`);
  return [
    readyLine(started),
    "",
    "Sign in as the owner with this link, in a browser. It works once, within an hour:",
    "",
    `  ${bold(started.loginLink ?? "")}`,
    "",
    known.replaceAll(/^/gm, "  "),
    "",
    "The key is for programs, and is not shown again: only its hash is stored. Try it:",
    "",
    `  curl -sS -u ${credentials} ${started.local}/api/v1/users/me`,
    "",
    "Messages show pictures and titles of sites that they link to. The server asks these sites, which then see its address,",
    `but not who reads; 'confab realm set linked_image_preview no${dataOption(started.dataDir)}' ends that for pictures,`,
    "and the same with inline_url_embed_preview for pages.",
    "",
    `Invite people in the browser, or with 'confab invite link${dataOption(started.dataDir)}'. Stop with Ctrl+C.`,
  ].join("\n");
}
