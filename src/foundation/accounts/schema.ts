import { z } from "zod";
import { role } from "@/foundation/permissions/schema.ts";
import { profileData } from "@/foundation/profile-fields/schema.ts";
import { emailAddress, fullName, password, userId } from "@/foundation/users/schema.ts";

export const newPerson = z.object({
  email: emailAddress,
  /** If absent, the person cannot log in by password until one is set. */
  password: password.optional(),
  full_name: fullName,
  role: role.optional(),
});
export type NewPerson = z.infer<typeof newPerson>;

const changes = z
  .object({ full_name: fullName, role, new_email: emailAddress, profile_data: profileData })
  .partial();
export type PersonChanges = z.infer<typeof changes>;

export const personPatch = z.object({ user_id: userId, ...changes.shape });
export type PersonPatch = z.infer<typeof personPatch>;

export const personPatchByEmail = z.object({ email: z.string(), ...changes.shape });
export type PersonPatchByEmail = z.infer<typeof personPatchByEmail>;

export const newPassword = z.object({ user_id: userId, password });
export type NewPassword = z.infer<typeof newPassword>;
