import { z } from "zod";
import { organizationName } from "@/foundation/realm/schema.ts";
import { emailAddress, fullName, password } from "@/foundation/users/schema.ts";

/** What the owner of a new organization says at the first visit. */
export const introduction = z.object({
  realm_name: organizationName,
  full_name: fullName,
  email: emailAddress,
  password,
});
export type Introduction = z.infer<typeof introduction>;
