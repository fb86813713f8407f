import type { Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { isDisposable } from "./disposable.ts";
import { type DomainRow, realmSettings } from "./schema.ts";
import * as store from "./store.ts";

/** Throws if the organization does not accept people with this address. */
export function checkAddressAllowed(reads: Reads, email: string): void {
  const refusal = addressRefusal(reads, email);
  if (refusal === "outside") {
    fail(
      "BAD_REQUEST",
      sentence("Only addresses of this organization's domains may join, not ''{email}''.", { email }),
    );
  }
  if (refusal === "disposable") {
    fail(
      "BAD_REQUEST",
      sentence("''{email}'' is a disposable address and may not join. Please use a permanent one.", {
        email,
      }),
    );
  }
}

/** Why the organization does not accept an address: it is in none of its domains, or is disposable; null if it does. */
export function addressRefusal(reads: Reads, email: string): "outside" | "disposable" | null {
  const { emails_restricted_to_domains, disallow_disposable_email_addresses } = realmSettings.read(reads);
  const given = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  if (emails_restricted_to_domains) {
    const isWithin = ({ domain, allow_subdomains }: DomainRow) =>
      given === domain || (allow_subdomains === 1 && given.endsWith(`.${domain}`));
    return store.listDomains(reads).some(isWithin) ? null : "outside";
  }
  return disallow_disposable_email_addresses && isDisposable(given) ? "disposable" : null;
}

/** The domains whose addresses may join, if only those may. */
export function domainsOf(reads: Reads): readonly DomainRow[] {
  return store.listDomains(reads);
}
