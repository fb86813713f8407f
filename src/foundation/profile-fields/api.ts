import { z } from "zod";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { createField, deleteField, reorderFields, updateField } from "./actions.ts";
import { clearOwnProfile, updateOwnProfile } from "./actions-values.ts";
import { countUse, fieldsState, listFields } from "./queries.ts";
import { fieldIds, fieldPatch, fieldUse, newProfileField, profileData, profileField } from "./schema.ts";

const own = [
  endpoint("patch-users-me-profile-data", {
    about: "Sets values of the caller's own profile fields.",
    method: "PATCH",
    path: "/users/me/profile_data",
    params: { data: profileData },
    run: (ctx, { data }) => updateOwnProfile(ctx, data),
  }),
  endpoint("delete-users-me-profile-data", {
    about: "Clears the caller's own profile fields.",
    method: "DELETE",
    path: "/users/me/profile_data",
    params: { data: fieldIds },
    run: (ctx, { data }) => clearOwnProfile(ctx, data),
  }),
];

export default domain({
  name: "profile-fields",
  about: "the fields of people's profiles, and their values",
  state: {
    custom_profile_fields: forSpectators(fieldsState, {
      custom_profile_fields: [],
      custom_profile_field_types: {},
    }),
  },
  endpoints: [
    endpoint("get-custom-profile-fields", {
      about: "Lists the organization's profile fields in their order.",
      method: "GET",
      path: "/realm/profile_fields",
      returns: { custom_fields: z.array(profileField) },
      run: (ctx) => ({ custom_fields: listFields(ctx) }),
    }),
    endpoint("create-custom-profile-field", {
      about: "Adds a profile field after all others. Administrators only.",
      method: "POST",
      path: "/realm/profile_fields",
      params: newProfileField.shape,
      returns: { id: z.int() },
      keeps: "results",
      run: async (ctx, params) => ({ id: await createField(ctx, params) }),
    }),
    endpoint("reorder-custom-profile-fields", {
      about: "Puts the profile fields into a new order. Administrators only.",
      method: "PATCH",
      path: "/realm/profile_fields",
      params: { order: fieldIds },
      run: (ctx, { order }) => reorderFields(ctx, order),
    }),
    endpoint("patch-realm-profile-fields-field-id", {
      about:
        "Changes a profile field. Administrators only. People who have chosen an option that is removed have no value then.",
      method: "PATCH",
      path: "/realm/profile_fields/{field_id:[0-9]+}",
      params: { field_id: z.int(), ...fieldPatch.omit({ id: true }).shape },
      run: (ctx, { field_id, ...changes }) => updateField(ctx, { id: field_id, ...changes }),
    }),
    endpoint("get-profile-field-use", {
      about:
        "Counts how many people have filled in a profile field and, of a list of options, how many have chosen each: what is lost without it. Administrators only.",
      method: "GET",
      path: "/realm/profile_fields/{field_id:[0-9]+}/use",
      params: { field_id: z.int() },
      returns: fieldUse.shape,
      run: (ctx, { field_id }) => countUse(ctx, field_id),
    }),
    endpoint("delete-realm-profile-fields-field-id", {
      about: "Deletes a profile field and everyone's values for it. Administrators only.",
      method: "DELETE",
      path: "/realm/profile_fields/{field_id:[0-9]+}",
      params: { field_id: z.int() },
      run: (ctx, { field_id }) => deleteField(ctx, field_id),
    }),
    ...own,
  ],
});
