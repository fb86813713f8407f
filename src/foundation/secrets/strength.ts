// How hard a password is to guess (the setting `password_min_guesses`).

import { limits } from "@/foundation/realm/schema.ts";
import { easilyGuessed } from "@/foundation/users/schema.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { hashPassword } from "./secrets.ts";

/** Only this many characters are checked: the cost grows faster than the length, and longer passwords are strong. */
const maxCheckedLength = 32;

/**
 * Hashes a new password; throws if it is easy to guess, also from facts `about` its owner. `allowWeak` accepts any
 * password, if an operator insists.
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
  await nextSlice();
  const words = about.flatMap((text) => [text, ...text.split(/[\s@.]+/)]);
  if (check(password.slice(0, maxCheckedLength), words).guesses < limits.password_min_guesses) {
    fail("BAD_REQUEST", easilyGuessed);
  }
}

type Estimator = Pick<import("@zxcvbn-ts/core").ZxcvbnFactory, "check">;

let loaded: Promise<Estimator> | null = null;

/** The first call takes about 70 ms, in three slices; from then on it keeps 20 MB. */
function estimator(): Promise<Estimator> {
  loaded ??= (async () => {
    const { ZxcvbnFactory } = await import("@zxcvbn-ts/core");
    await nextSlice();
    const { adjacencyGraphs, dictionary } = await import("@zxcvbn-ts/language-common");
    await nextSlice();
    const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 20 });
    return { check: (password, about) => factory.check(password, about) };
  })();
  return loaded;
}
