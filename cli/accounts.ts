// Accounts as the command line shows them, whichever noun made them.
import { type RoleName, roles } from "@/permissions/schema.ts";
import type { User } from "@/users/schema.ts";
import { facts } from "./output.ts";

export interface Account {
  user_id: number;
  email: string;
  full_name: string;
  role: RoleName;
}

export interface AccountWithKey extends Account {
  api_key: string;
}

export function account({ user_id, email, delivery_email, full_name, role }: User): Account {
  return { user_id, email: delivery_email ?? email, full_name, role: roleOf(role) };
}

export function accountWithKey({ user, api_key }: { user: User; api_key: string }): AccountWithKey {
  return { ...account(user), api_key };
}

function roleOf(code: number): RoleName {
  const [name = "member"] = Object.entries(roles).find(([, known]) => known === code) ?? [];
  return name as RoleName;
}

/** A key and the sentence that goes with it: nobody can look it up later. */
export function keyFacts({ email, api_key }: AccountWithKey): string {
  return `${facts([
    ["Email", email],
    ["API key", api_key],
  ])}\nThe key is shown this once: only its hash is stored.`;
}
