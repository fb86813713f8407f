import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { query } from "@/kernel/operation.ts";
import { presentField } from "./present.ts";
import { fieldTypes, type ProfileField } from "./schema.ts";
import * as store from "./store.ts";

export const listFields = query(allow.user, (ctx): ProfileField[] => store.listFields(ctx).map(presentField));

/** The `custom_profile_fields` section of the initial state. */
export function fieldsState(ctx: Ctx) {
  return { custom_profile_fields: listFields(ctx), custom_profile_field_types: fieldTypes };
}
