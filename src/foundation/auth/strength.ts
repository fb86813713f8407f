// How hard a password is to guess (the setting `password_min_guesses`).

import { limits } from "@/foundation/realm/schema.ts";
import { easilyGuessed } from "@/foundation/users/schema.ts";
import { fail } from "@/kernel/errors.ts";
import { hashPassword } from "./secrets.ts";

/** Estimating takes longer than the text grows, and what is hard to guess is so by then. */
const looked = 32;

/**
 * The hash of a new password; throws where the password is easy to guess, also from what is known `about` its owner.
 * `allowWeak` accepts any password, where an operator insists.
 */
export async function hashNewPassword(
  password: string,
  { about, allowWeak = false }: { about: readonly string[]; allowWeak?: boolean },
): Promise<string> {
  if (!allowWeak) await checkStrength(password, about);
  return hashPassword(password);
}

async function checkStrength(password: string, about: readonly string[]): Promise<void> {
  const { check } = await estimator();
  const words = about.flatMap((text) => [text, ...text.split(/[\s@.]+/)]);
  if (check(password.slice(0, looked), words).guesses < limits.password_min_guesses) {
    fail("BAD_REQUEST", easilyGuessed);
  }
}

type Estimator = Pick<import("@zxcvbn-ts/core").ZxcvbnFactory, "check">;
let loaded: Promise<Estimator> | null = null;

/** The first time takes some 50 ms, and 20 MB from then on. */
function estimator(): Promise<Estimator> {
  loaded ??= (async () => {
    const { ZxcvbnFactory } = await import("@zxcvbn-ts/core");
    const { adjacencyGraphs, dictionary } = await import("@zxcvbn-ts/language-common");
    const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 20 });
    return { check: (password, about) => factory.check(password, about) };
  })();
  return loaded;
}
