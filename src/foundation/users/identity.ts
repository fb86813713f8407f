import { checkAddressAllowed } from "@/foundation/realm/domains.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { isGeneratedAddress } from "./addresses.ts";
import * as store from "./store.ts";

export const nameTaken = "This name is already in use in this organization.";

/** Throws if names must be unique and this one is taken. */
export function checkName(tx: Reads, full_name: string, ownerId: number | null = null): void {
  if (!realmSettings.read(tx).require_unique_names) return;
  if (store.findUsersByName(tx, full_name.toLowerCase()).some(({ id }) => id !== ownerId)) {
    fail("BAD_REQUEST", nameTaken);
  }
}

/** Throws if the address is taken, or has the form of a generated one. */
export function checkAddress(
  tx: Pick<Ctx, "db" | "env">,
  address: string,
  ownerId: number | null = null,
): void {
  const found = store.findUserByEmail(tx, address);
  const isTaken = found !== null && found.id !== ownerId;
  if (isTaken || isGeneratedAddress(tx, address))
    fail("BAD_REQUEST", sentence("Email ''{address}'' already in use", { address }));
}

/** Throws if this name and address may not join. */
export function checkArrival(ctx: Ctx, { full_name, email }: { full_name: string; email: string }): void {
  checkAddressAllowed(ctx, email);
  checkName(ctx, full_name);
  checkAddress(ctx, email);
}
