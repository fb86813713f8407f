import { domain } from "@/kernel/domain.ts";
import { listUserGroups } from "./queries.ts";

export default domain({
  name: "permissions",
  state: { realm_user_groups: (ctx) => ({ realm_user_groups: listUserGroups(ctx) }) },
});
