// Whose addresses may join, while emails_restricted_to_domains is on (API-REFERENCE 19.2).
import { recordAudit } from "@/audit/actions.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { everyone } from "@/kernel/events.ts";
import { action, query } from "@/kernel/operation.ts";
import { allow } from "@/permissions/access.ts";
import { updateRealm } from "./changes.ts";
import { domainAdded, domainChanged, domainRemoved, type RealmDomain, realmSettings } from "./schema.ts";
import type { DomainRow } from "./store.ts";
import * as store from "./store.ts";

type Reads = Pick<Ctx, "db">;

function present({ domain, allow_subdomains }: DomainRow): RealmDomain {
  return { domain, allow_subdomains: allow_subdomains === 1 };
}

export const listDomains = query(allow.user, (ctx): RealmDomain[] => store.listDomains(ctx).map(present));

/** Throws where the organization restricts addresses to domains, and this one lies in none of them. */
export function checkAddressAllowed(reads: Reads, email: string): void {
  if (!realmSettings.read(reads, 0).emails_restricted_to_domains) return;
  const given = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const isWithin = ({ domain, allow_subdomains }: DomainRow) =>
    given === domain || (allow_subdomains === 1 && given.endsWith(`.${domain}`));
  if (store.listDomains(reads).some(isWithin)) return;
  fail("BAD_REQUEST", `Only addresses of this organization's domains may join, not '${email}'.`);
}

export const addDomain = action(allow.owner, (tx, added: RealmDomain): [number, string] => {
  const { domain, allow_subdomains } = added;
  if (store.listDomains(tx).some((row) => row.domain === domain)) {
    fail("BAD_REQUEST", `The domain ${domain} is already a part of this organization.`);
  }

  const id = store.insertDomain(tx, domain, allow_subdomains);
  recordAudit(tx, { event: "domain_added", about: { kind: "domain", id }, data: added });
  tx.emit(domainAdded, everyone, { realm_domain: added });
  return [id, domain];
});

function domainFor(reads: Reads, name: string): DomainRow {
  const row = store.listDomains(reads).find(({ domain }) => domain === name);
  return row ?? fail("BAD_REQUEST", `No entry found for domain ${name}.`);
}

export const changeDomain = action(allow.owner, (tx, changed: RealmDomain): void => {
  const { id } = domainFor(tx, changed.domain);

  store.setAllowSubdomains(tx, id, changed.allow_subdomains);
  recordAudit(tx, { event: "domain_changed", about: { kind: "domain", id }, data: changed });
  tx.emit(domainChanged, everyone, { realm_domain: changed });
});

/** Removes a domain; with the last one goes the restriction, which would keep everybody out. */
export const removeDomain = action(allow.owner, (tx, name: string): void => {
  const { id, domain } = domainFor(tx, name);

  store.deleteDomain(tx, id);
  recordAudit(tx, { event: "domain_removed", about: { kind: "domain", id }, data: { domain } });
  tx.emit(domainRemoved, everyone, { domain });
  if (store.listDomains(tx).length === 0) updateRealm.in(tx, { emails_restricted_to_domains: false });
});
