// Which roles there are, and which of them the person may give.
import { t } from "../../../lib/texts.ts";
import type { Person } from "../../../state/people.ts";
import type { State } from "../../../state/state.ts";

const owner = 100;

export const roleChoices = [
  { value: owner, label: t("Owner") },
  { value: 200, label: t("Administrator") },
  { value: 300, label: t("Moderator") },
  { value: 400, label: t("Member") },
  { value: 600, label: t("Guest") },
] as const;

/** The roles that the person may give: only owners make owners. */
export const rolesToGive = ({ self }: State) =>
  roleChoices.filter(({ value }) => self.is_owner || value !== owner);

/** Whether the person may change an account: administrators may, but only owners those of owners. */
export function mayChangeAccount({ self }: State, { role, is_system_bot }: Person): boolean {
  return self.is_admin && !is_system_bot && (self.is_owner || role !== owner);
}

/** Whether nobody else owns the organization. */
export function isOnlyOwner({ users }: State, { user_id, role, is_active }: Person): boolean {
  const isOther = (one: Person) =>
    one.role === owner && one.is_active && !one.is_bot && one.user_id !== user_id;
  return role === owner && is_active && !Object.values(users).some(isOther);
}
