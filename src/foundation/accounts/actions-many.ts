// Adds many people at once, after checking all of them.

import { emitNewInRoleGroups } from "@/foundation/groups/actions-roles.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Role } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { checkMayGrantRole } from "@/foundation/users/access.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { nameTaken } from "@/foundation/users/identity.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { addInvitedAmongMany, type UserWithKey } from "./actions-adding.ts";

interface NewPerson {
  email: string;
  full_name: string;
  role: Role;
}

interface NewPeople {
  people: readonly NewPerson[];
  /** Checks these people without adding any. */
  isTrial: boolean;
  /** Whether this process has others to serve meanwhile. Then a crash, or a change of others in between, may leave a part of them. */
  isServing?: boolean;
}

/** Thrown to roll back a trial that succeeded. */
class TrialDone extends Error {}

/** The problem with a person, by their index in the list. */
export interface RefusedPerson {
  index: number;
  reason: string;
}

/** Adds people as `createUser` does, without passwords. If any is refused, the error's `refusals` names each and why. */
export const createUsers = operation(
  allow.admin,
  (ctx, input: NewPeople): Promise<UserWithKey[]> =>
    input.isServing ? createInParts(ctx, input) : createAtOnce(ctx, input),
);

async function createAtOnce(ctx: Ctx, input: NewPeople): Promise<UserWithKey[]> {
  try {
    return await insertPeople(ctx, input);
  } catch (error) {
    if (error instanceof TrialDone) return [];
    throw error;
  }
}

/** A transaction with this many people holds up nobody. */
const inOnePart = 25;

/** Checks all people before it adds the first. */
async function createInParts(ctx: Ctx, { people, isTrial }: NewPeople): Promise<UserWithKey[]> {
  const parts = Array.from({ length: Math.ceil(people.length / inOnePart) }, (_, i) => i * inOnePart);
  const refusals = sameNames(ctx, people);
  const part = (from: number) => people.slice(from, from + inOnePart);
  for (const from of parts)
    await createAtOnce(ctx, { people: part(from), isTrial: true }).catch((error: unknown) => {
      refusals.push(...refusalsIn(error).map(({ index, reason }) => ({ index: from + index, reason })));
    });
  if (refusals.length > 0)
    refuse(
      refusals.toSorted((a, b) => a.index - b.index),
      0,
    );
  const added: UserWithKey[] = [];
  for (const from of isTrial ? [] : parts) {
    const made = await createAtOnce(ctx, { people: part(from), isTrial }).catch((error: unknown) =>
      refuse(
        refusalsIn(error).map(({ index, reason }) => ({ index: from + index, reason })),
        added.length,
      ),
    );
    added.push(...made);
  }
  return added;
}

/** Those of one name, where names must be unique: they may be in different parts. */
function sameNames(ctx: Ctx, people: readonly NewPerson[]): RefusedPerson[] {
  if (!realmSettings.read(ctx).require_unique_names) return [];
  const first = new Map<string, number>();
  return people.flatMap(({ full_name }, index) => {
    const key = full_name.toLowerCase();
    const before = first.get(key) ?? index;
    first.set(key, before);
    const isInSamePart = Math.floor(before / inOnePart) === Math.floor(index / inOnePart);
    return isInSamePart ? [] : [{ index, reason: nameTaken }];
  });
}

function refusalsIn(error: unknown): RefusedPerson[] {
  if (error instanceof AppError && "refusals" in error.data) return error.data.refusals as RefusedPerson[];
  throw error;
}

function refuse(refusals: readonly RefusedPerson[], added: number): never {
  throw new AppError("BAD_REQUEST", "Some of these people cannot be added.", { refusals, added });
}

const insertPeople = action(allow.admin, (tx, { people, isTrial }: NewPeople): UserWithKey[] => {
  const refusals: RefusedPerson[] = [];
  const added = people.flatMap((person, index) => {
    try {
      checkMayGrantRole(tx, person.role);
      const one = addInvitedAmongMany(tx, { ...person, password_hash: null });
      return [{ one, userId: one.user.user_id, role: person.role, address: person.email }];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusals.push({ index, reason: error.message });
      return [];
    }
  });
  if (refusals.length > 0) refuse(refusals, 0);
  if (isTrial) throw new TrialDone();
  userHooks.added(tx, added);
  emitNewInRoleGroups(
    tx,
    added.map(({ userId }) => userId),
  );
  return added.map(({ one }) => one);
});
