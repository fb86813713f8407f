// The domains whose addresses may join while emails_restricted_to_domains is on.
import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { everyone } from "@/kernel/events.ts";
import { action, query } from "@/kernel/operation.ts";
import { updateRealm } from "./changes.ts";
import { isDisposable } from "./disposable.ts";
import { domainAdded, domainChanged, domainRemoved, type RealmDomain, realmSettings } from "./schema.ts";
import type { DomainRow } from "./store.ts";
import * as store from "./store.ts";

type Reads = Pick<Ctx, "db">;

function present({ domain, allow_subdomains }: DomainRow): RealmDomain {
  return { domain, allow_subdomains: allow_subdomains === 1 };
}

export const listDomains = query(allow.user, (ctx): RealmDomain[] => store.listDomains(ctx).map(present));

/** Throws where the organization does not want people with this address. */
export function checkAddressAllowed(reads: Reads, email: string): void {
  const refusal = addressRefusal(reads, email);
  if (refusal === "outside") {
    fail("BAD_REQUEST", `Only addresses of this organization's domains may join, not '${email}'.`);
  }
  if (refusal === "disposable") {
    fail("BAD_REQUEST", `Disposable addresses may not join, as '${email}'. Please use one that stays yours.`);
  }
}

/** Why the organization does not want people with this address: it lies in none of its domains, or is a disposable one. */
export function addressRefusal(reads: Reads, email: string): "outside" | "disposable" | null {
  const { emails_restricted_to_domains, disallow_disposable_email_addresses } = realmSettings.read(reads, 0);
  const given = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  if (emails_restricted_to_domains) {
    const isWithin = ({ domain, allow_subdomains }: DomainRow) =>
      given === domain || (allow_subdomains === 1 && given.endsWith(`.${domain}`));
    return store.listDomains(reads).some(isWithin) ? null : "outside";
  }
  return disallow_disposable_email_addresses && isDisposable(given) ? "disposable" : null;
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
