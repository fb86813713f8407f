import { allow } from "@/foundation/permissions/access.ts";
import { listProviders, takesPasswords } from "@/foundation/realm/access.ts";
import { serverOptions } from "@/foundation/realm/schema.ts";
import { myself } from "@/foundation/users/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { needsProof } from "./access.ts";
import { proofHooks } from "./hooks.ts";
import type { ProofState } from "./schema.ts";

/** Whether the actor must show who they are, and how they can. */
export const proofState = query(allow.user, (ctx): ProofState => {
  const { id, password_hash } = myself(ctx);
  const password = password_hash !== null && takesPasswords(ctx);
  const known = proofHooks.providersOf(ctx, id);
  const providers = listProviders(ctx)
    .filter(({ name }) => known.includes(name))
    .map(({ name, button }) => ({ button, login_url: `/login/oidc/${name}?proof=true` }));
  const mail = !password && providers.length === 0 && serverOptions.read(ctx).sends_mail;
  return { is_needed: needsProof(ctx), password, providers, mail };
});
