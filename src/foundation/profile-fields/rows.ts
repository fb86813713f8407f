import type { FieldType } from "./schema.ts";

export interface NewField {
  type: FieldType;
  name: string;
  hint: string;
  field_data: string;
  display_in_profile_summary: 0 | 1;
  required: 0 | 1;
  editable_by_user: 0 | 1;
}

export interface FieldRow extends NewField {
  id: number;
  position: number;
}
