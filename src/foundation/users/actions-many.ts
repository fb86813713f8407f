// Adding many people at once: all, or nobody.
import { allow } from "@/foundation/permissions/access.ts";
import type { Role } from "@/foundation/permissions/schema.ts";
import { AppError } from "@/kernel/errors.ts";
import { action, operation } from "@/kernel/operation.ts";
import { checkMayGrantRole } from "./access.ts";
import { userHooks } from "./hooks.ts";
import { addInvited, type UserWithKey } from "./tx.ts";

interface NewPerson {
  email: string;
  full_name: string;
  role: Role;
}

interface NewPeople {
  people: readonly NewPerson[];
  /** Checks everything as if they were added, and adds nobody. */
  isTrial: boolean;
}

/** Thrown to undo a trial that went well. */
class TrialDone extends Error {}

/** What is wrong with a person of a list, by their place in it. */
export interface Refusal {
  index: number;
  reason: string;
}

/** Adds people as `createUser` does, without passwords. If any is refused, the error's `refusals` names each and why. */
export const createUsers = operation(allow.admin, async (ctx, input: NewPeople): Promise<UserWithKey[]> => {
  try {
    return await insertPeople(ctx, input);
  } catch (error) {
    if (error instanceof TrialDone) return [];
    throw error;
  }
});

const insertPeople = action(allow.admin, (tx, { people, isTrial }: NewPeople): UserWithKey[] => {
  const refusals: Refusal[] = [];
  const added = people.flatMap((person, index) => {
    try {
      checkMayGrantRole(tx, person.role);
      const one = addInvited(tx, { ...person, password_hash: null });
      userHooks.added(tx, { userId: one.user.user_id, role: person.role, address: person.email });
      return [one];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusals.push({ index, reason: error.message });
      return [];
    }
  });
  if (refusals.length > 0)
    throw new AppError("BAD_REQUEST", "Some of these people cannot be added.", { refusals });
  if (isTrial) throw new TrialDone();
  return added;
});
