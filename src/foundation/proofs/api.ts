import { z } from "zod";
import { limits } from "@/foundation/realm/schema.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { giveProof, mailProof } from "./actions.ts";
import { proofState } from "./queries.ts";
import { proofShape, typedProof } from "./schema.ts";

export default domain({
  name: "proofs",
  about: "asking who uses a browser before it makes a key or changes what opens the account",
  endpoints: [
    endpoint("get-proof", {
      about:
        "Returns whether the caller must show who they are before they make a key or change their address or second factor, and " +
        "how they can: ten minutes after it last did, a browser's session is refused with PROOF_REQUIRED. API keys are not asked.",
      method: "GET",
      path: "/users/me/proof",
      returns: proofShape,
      run: (ctx) => proofState(ctx),
    }),
    endpoint("give-proof", {
      about:
        "Shows who uses a browser's session: by the account's password, or by a code from `mail-proof`. Failed attempts count like " +
        "failed logins.",
      method: "POST",
      path: "/users/me/proof",
      params: {
        password: z.string().max(limits.password_max_length, "Wrong password!").optional(),
        code: typedProof.optional(),
      },
      run: (ctx, given) => giveProof(ctx, given),
    }),
    endpoint("mail-proof", {
      about:
        "Mails a code for `give-proof` to the caller, if they have neither a password nor a provider of single sign-on.",
      method: "POST",
      path: "/users/me/proof/mail",
      run: (ctx) => mailProof(ctx),
    }),
  ],
});
