// The first visit of an organization that was created without names: its owner says who they are, by the link that the server printed.

import { changeAddress, changeName, changePasswordHash } from "@/foundation/accounts/actions-identity.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { updateRealm } from "@/foundation/realm-administration/actions-changes.ts";
import { hashNewPassword } from "@/foundation/secrets/strength.ts";
import { awaitsFirstVisit, personOfLink } from "@/foundation/sessions/access.ts";
import { enterAs } from "@/foundation/sessions/actions.ts";
import { tryLink } from "@/foundation/sessions/actions-links.ts";
import { actingAs, action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { Introduction } from "./schema.ts";

interface Visiting {
  key: string;
  request: RequestFacts;
}

/** Whether a link leads to the first visit; it may also be one that only signs in. Wrong keys are counted. */
export const isFirstVisit = operation(
  allow.anyone,
  async (ctx, visiting: Visiting): Promise<boolean> => awaitsFirstVisit(ctx, await tryLink(ctx, visiting)),
);

/** Names the organization and its owner, sets the owner's password, and opens a session. The link then no longer works. */
export const completeFirstVisit = operation(
  allow.anyone,
  async (ctx, { key, request, ...said }: Visiting & Introduction): Promise<number> => {
    if (!(await isFirstVisit(ctx, { key, request }))) refuseAnother();
    const { realm_name, full_name, email, password } = said;
    const hash = await hashNewPassword(password, { about: [realm_name, full_name, email] });
    const user_id = await introduce(ctx, { key, hash, realm_name, full_name, email });
    await enterAs(ctx, { user_id, request });
    return user_id;
  },
);

/** All of it is one transaction: after a power cut, the link either still works or is used up with all that was said stored. */
const introduce = action(
  allow.anyone,
  (tx, { key, hash, ...said }: Omit<Introduction, "password"> & { key: string; hash: string }): number => {
    const user = personOfLink(tx, key);
    if (!awaitsFirstVisit(tx, user)) refuseAnother();

    const owner = actingAs(tx, { kind: "user", id: user.id, client: tx.actor.client });
    updateRealm.in(owner, { name: said.realm_name });
    changeName(owner, user.id, said.full_name);
    if (said.email !== user.delivery_email) changeAddress(owner, user.id, said.email);
    // It ends the links of the account, this one among them, and the wait for this visit.
    changePasswordHash(owner, user.id, { hash });
    return user.id;
  },
);

function refuseAnother(): never {
  return fail("BAD_REQUEST", "This link only signs in: the organization and its owner have their names.");
}
