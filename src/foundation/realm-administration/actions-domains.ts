import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { domainsOf } from "@/foundation/realm/domains.ts";
import {
  type DomainRow,
  domainAdded,
  domainChanged,
  domainRemoved,
  type RealmDomain,
} from "@/foundation/realm/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { updateRealm } from "./actions-changes.ts";
import * as store from "./store.ts";

export const addDomain = action(allow.owner, (tx, added: RealmDomain): [number, string] => {
  const { domain, allow_subdomains } = added;
  if (domainsOf(tx).some((row) => row.domain === domain)) {
    fail("BAD_REQUEST", sentence("The domain {domain} is already a part of this organization.", { domain }));
  }

  const id = store.insertDomain(tx, domain, allow_subdomains);
  recordAudit(tx, { event: "domain_added", about: { kind: "domain", id }, data: added });
  tx.emit(domainAdded, everyone, { realm_domain: added });
  return [id, domain];
});

function domainFor(reads: Reads, name: string): DomainRow {
  const row = domainsOf(reads).find(({ domain }) => domain === name);
  return row ?? fail("BAD_REQUEST", sentence("No entry found for domain {domain}.", { domain: name }));
}

export const changeDomain = action(allow.owner, (tx, changed: RealmDomain): void => {
  const { id } = domainFor(tx, changed.domain);

  store.setAllowSubdomains(tx, id, changed.allow_subdomains);
  recordAudit(tx, { event: "domain_changed", about: { kind: "domain", id }, data: changed });
  tx.emit(domainChanged, everyone, { realm_domain: changed });
});

/** Removes a domain. Removing the last one also removes the restriction, which would keep everybody out. */
export const removeDomain = action(allow.owner, (tx, name: string): void => {
  const { id, domain } = domainFor(tx, name);

  store.deleteDomain(tx, id);
  recordAudit(tx, { event: "domain_removed", about: { kind: "domain", id, name: domain }, data: { domain } });
  tx.emit(domainRemoved, everyone, { domain });
  if (domainsOf(tx).length === 0) updateRealm.in(tx, { emails_restricted_to_domains: false });
});
