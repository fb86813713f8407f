// Whether people's addresses are proved.
import { z } from "zod";
import { setAddressProved } from "@/foundation/address-proofs/actions.ts";
import { getAddressProof } from "@/foundation/address-proofs/queries.ts";
import { proofKind, proofText } from "@/foundation/address-proofs/schema.ts";
import { permissionErrors } from "@/foundation/permissions/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { isError } from "@/kernel/lib/errors.ts";
import { flag, operand } from "../args.ts";
import { command } from "../command.ts";
import { failUsage } from "../misuse.ts";
import { timeText } from "../output.ts";
import { userWith } from "../values.ts";

const no = z.boolean().default(false);

export const addressProofShape = z.object({ kind: proofKind, proved_at: z.int() }).nullable();

/** Says how an address was proved, as the end of a sentence. */
export function proofWords(proof: z.infer<typeof addressProofShape>): string {
  return proof === null
    ? "not proved"
    : `proved ${proofText[proof.kind]} on ${timeText(proof.proved_at).slice(0, 10)}`;
}

/** How a user's address was proved, for those who may know. */
export function proofSeen(
  ctx: Ctx,
  user: { user_id: number; is_bot: boolean },
): { address_proof?: z.infer<typeof addressProofShape> } {
  if (user.is_bot) return {};
  try {
    return { address_proof: getAddressProof(ctx, user.user_id) };
  } catch (error) {
    if (isError(error, permissionErrors.UNAUTHORIZED_PRINCIPAL)) return {};
    throw error;
  }
}

export default [
  command({
    name: "user address",
    isUnaudited: ({ proved, unproved }) => !proved && !unproved,
    summary: "Show or say whether a person's address is proved to be theirs",
    about:
      "Shows how it was proved that a person's address is theirs: by a link in a mail, an invitation mailed to it, a provider of " +
      "single sign-on, the operator of the server, or an import. A first single sign-on joins an account by its address only if " +
      "that is proved; otherwise it asks for the account's password. --proved takes your word for it, so first make sure who uses the " +
      "account; --unproved takes a proof back. Both work only at the server's machine.",
    examples: [
      "confab user address ada@example.com",
      "confab user address ada@example.com --proved",
      "confab user address ada@example.com --unproved",
    ],
    args: {
      email: operand("EMAIL", z.string(), "the person's address or ID"),
      proved: flag(no, "the address is theirs: single sign-on with it opens the account"),
      unproved: flag(no, "nobody knows whether it is theirs"),
    },
    result: z.object({ user_id: z.int(), email: z.string(), address_proof: addressProofShape }),
    run: async (ctx, { email, proved, unproved }) => {
      if (proved && unproved) failUsage("choose one: --proved or --unproved");
      const user = userWith(ctx, email);
      const { user_id } = user;
      if (proved || unproved) await setAddressProved(ctx, { user_id, isProved: proved });
      return { user_id, email: addressOf(user), address_proof: getAddressProof(ctx, user_id) };
    },
    print: ({ email, address_proof }) => `The address ${email} is ${proofWords(address_proof)}.`,
  }),
];
