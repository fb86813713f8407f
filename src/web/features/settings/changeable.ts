import type { State } from "../../state/shape.ts";

type Disabling =
  | "realm_name_changes_disabled"
  | "realm_email_changes_disabled"
  | "realm_avatar_changes_disabled";

/** Whether the person may change their own name, address or picture: administrators may, the organization can turn it off for others. */
export function mayChangeOwn({ self, organization }: State, setting: Disabling): boolean {
  return self.is_admin || organization[setting] !== true;
}
